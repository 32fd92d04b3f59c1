// SPDX-License-Identifier: Apache-2.0
// What arviz.from_netcdf reads: netCDF-4 with groups (arviz_groups.hpp) whose variables have the
// dimensions chain, draw and their own, and `observed_data`. Non-numeric values have flag_values and
// flag_meanings as in the CF conventions.
//
// The netCDF library (Debian's libnetcdf19) is loaded when a file is written and not linked: it
// brings fifty others, which would cost every start of the program more than a small run takes.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <type_traits>

#include "report/arviz_groups.hpp"
#include "report/file_error.hpp"

namespace chancel::report {
namespace {

// Numbers and functions of netcdf.h, which have not changed since version 4.
constexpr int kNetcdf4 = 0x1000;
constexpr int kGlobal = -1;
constexpr int kDouble = 6;
constexpr int kInt64 = 10;

struct NetcdfLibrary {
  int (*create)(const char* path, int mode, int* file);
  int (*close)(int file);
  const char* (*error_text)(int status);
  int (*define_group)(int parent, const char* name, int* group);
  int (*define_dimension)(int group, const char* name, std::size_t size, int* dimension);
  int (*define_variable)(int group, const char* name, int type, int count, const int* dimensions,
                         int* variable);
  int (*put_text)(int group, int variable, const char* name, std::size_t size, const char* text);
  int (*put_integers)(int group, int variable, const char* name, int type, std::size_t count,
                      const long long* values);
  int (*write_integers)(int group, int variable, const long long* values);
  int (*write_doubles)(int group, int variable, const double* values);

  static const NetcdfLibrary& get() {
    static const NetcdfLibrary library = load();
    return library;
  }

 private:
  static NetcdfLibrary load() {
    void* handle = nullptr;
    for (const char* name :
         {"libnetcdf.so.19", "libnetcdf.so.22", "libnetcdf.so.18", "libnetcdf.so"})
      if (handle == nullptr) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const auto fail = [](const std::string& why) {
      throw_unwritable("netCDF", why, "install libnetcdf19 (Debian), or choose arviz-json");
    };
    if (handle == nullptr) fail(fmt::format("the library cannot be used ({})", dlerror()));
    NetcdfLibrary library = {};
    const auto find = [&](auto& function, const char* name) {
      void* address = dlsym(handle, name);
      if (address == nullptr) fail(fmt::format("the library has no {}", name));
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
    };
    find(library.create, "nc_create");
    find(library.close, "nc_close");
    find(library.error_text, "nc_strerror");
    find(library.define_group, "nc_def_grp");
    find(library.define_dimension, "nc_def_dim");
    find(library.define_variable, "nc_def_var");
    find(library.put_text, "nc_put_att_text");
    find(library.put_integers, "nc_put_att_longlong");
    find(library.write_integers, "nc_put_var_longlong");
    find(library.write_doubles, "nc_put_var_double");
    return library;
  }
};

class NetcdfFile {
 public:
  explicit NetcdfFile(std::string path) : path_(std::move(path)) {
    check(nc.create(path_.c_str(), kNetcdf4, &file_));
  }
  ~NetcdfFile() {
    if (open_) nc.close(file_);
  }
  void check(int status) const {
    if (status != 0) throw_unwritable(path_, nc.error_text(status));
  }
  void text(int group, int variable, const char* name, const std::string& value) const {
    check(nc.put_text(group, variable, name, value.size(), value.c_str()));
  }
  int group(const char* name) const {
    int id = 0;
    check(nc.define_group(file_, name, &id));
    return id;
  }
  // A group with the dimensions chain and draw, and their coordinates.
  int group(const char* name, const DrawTable& table, int dimensions[2]) const {
    const int id = group(name);
    const std::size_t sizes[2] = {table.chains.size(), table.length()};
    const char* names[2] = {"chain", "draw"};
    for (int d = 0; d < 2; ++d) {
      check(nc.define_dimension(id, names[d], sizes[d], &dimensions[d]));
      int variable = 0;
      check(nc.define_variable(id, names[d], kInt64, 1, &dimensions[d], &variable));
      std::vector<long long> numbers(sizes[d]);
      std::iota(numbers.begin(), numbers.end(), 0);
      check(nc.write_integers(id, variable, numbers.data()));
    }
    return id;
  }
  void close() {
    open_ = false;
    check(nc.close(file_));
  }
  const NetcdfLibrary& nc = NetcdfLibrary::get();

 private:
  std::string path_;
  int file_ = 0;
  bool open_ = true;
};

// The dimensions of a variable's own, as ArviZ names them, added to `all`.
void add_dimensions(const NetcdfFile& file, int group, const std::string& name,
                    const std::vector<std::size_t>& shape, std::vector<int>& all) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    int id = 0;
    file.check(
        file.nc.define_dimension(group, fmt::format("{}_dim_{}", name, d).c_str(), shape[d], &id));
    all.push_back(id);
  }
}

void add_data(const NetcdfFile& file, int group, const Variable& v) {
  std::vector<int> all;
  add_dimensions(file, group, v.name, v.shape, all);
  int id = 0;
  file.check(file.nc.define_variable(group, v.name.c_str(), v.integer ? kInt64 : kDouble,
                                     static_cast<int>(all.size()), all.data(), &id));
  file.text(group, id, "long_name", v.label);
  std::vector<double> values;
  for (const auto& column : v.columns) values.push_back(column[0]);
  file.check(file.nc.write_doubles(group, id, values.data()));
}

void add_variable(const NetcdfFile& file, int group, const int dimensions[2],
                  const DrawTable& table, const Variable& v) {
  std::vector<int> all = {dimensions[0], dimensions[1]};
  add_dimensions(file, group, v.name, v.shape, all);
  bool missing = false;
  for (const auto& column : v.columns)
    for (const double x : column) missing = missing || !std::isfinite(x);
  const bool integer = v.integer && !missing;
  int id = 0;
  file.check(file.nc.define_variable(group, v.name.c_str(), integer ? kInt64 : kDouble,
                                     static_cast<int>(all.size()), all.data(), &id));
  file.text(group, id, "long_name", v.label);
  if (!v.meanings.empty()) {
    std::vector<long long> codes(v.meanings.size());
    std::iota(codes.begin(), codes.end(), 0);
    file.check(file.nc.put_integers(group, id, "flag_values", kInt64, codes.size(), codes.data()));
    std::string meanings;
    for (std::string meaning : v.meanings) {
      for (char& c : meaning)
        if (c == ' ') c = '_';  // they are separated by blanks
      meanings += (meanings.empty() ? "" : " ") + meaning;
    }
    file.text(group, id, "flag_meanings", meanings);
  }
  std::vector<double> values;
  values.reserve(table.chains.size() * table.length() * v.elements());
  for (const auto& rows : table.chains)
    for (std::size_t i = 0; i < table.length(); ++i)
      for (const auto& column : v.columns) values.push_back(column[rows[i]]);
  file.check(file.nc.write_doubles(group, id, values.data()));
}

}  // namespace

std::vector<std::string> export_arviz_netcdf(const TabledRun& run, const TabledRun* prior,
                                             const std::string& stem) {
  const std::string path = stem + ".nc";
  NetcdfFile file(path);
  for (const ArvizGroup& group : arviz_groups(run, prior)) {
    const DrawTable& table = group.run->table;
    int dimensions[2];
    const int id = file.group(group.name.c_str(), table, dimensions);
    if (group.main)
      for (const auto& [name, text] : arviz_attributes(group.run->run))
        file.text(id, kGlobal, name.c_str(), text);
    group.each([&](const Variable& v) { add_variable(file, id, dimensions, table, v); });
  }
  if (const auto data = observed_data(run.run.description); !data.empty()) {
    const int group = file.group("observed_data");
    for (const Variable& v : data) add_data(file, group, v);
  }
  file.close();
  return {path};
}

}  // namespace chancel::report
