# Chancel in a container. The first stage makes the Debian package, the second has the package and a C compiler, with which long runs
# get native code.
#   docker build -t chancel .
#   docker run --rm -it -v "$PWD:/work" chancel infer model.clj --report model.html
FROM debian:12 AS build
WORKDIR /chancel
RUN apt-get update && apt-get install -y --no-install-recommends make
# Before the sources, so that a change of them does not install packages again.
COPY scripts/setup scripts/setup
RUN scripts/setup --package
COPY . .
RUN make package

FROM debian:12-slim
COPY --from=build /chancel/build/package/*.deb /tmp/
RUN apt-get update \
 && apt-get install -y --no-install-recommends /tmp/*.deb gcc libc6-dev \
 && rm -rf /tmp/*.deb /var/lib/apt/lists/* \
 && useradd --create-home chancel
USER chancel
WORKDIR /work
ENTRYPOINT ["chancel"]
CMD ["--help"]
