// SPDX-License-Identifier: Apache-2.0
// Ends this process when the program of Jupyter that started it has gone without a word (killed, its
// window closed). As the kernel of IPython does, only where JPY_PARENT_PID says who that is: a kernel
// that was started by hand lives on.
#pragma once

namespace chancel::kernel {

void watch_parent();  // starts a thread; call it once

}  // namespace chancel::kernel
