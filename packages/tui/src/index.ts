export type { ConsentDialog, Dialog, ProposedFile, Reply, ReviewDialog, ReviewReply } from "./dialogs/dialog.js";
export { foldEvent } from "./fold-event.js";
export { frameRows, type Size } from "./frame.js";
export { type Pressed, press, type Request } from "./keys.js";
export { openTui, type Tui, type TuiOptions } from "./open-tui.js";
export type { Modal, ModalName, ScreenState } from "./state.js";
export { createStyle, type Role, type Style, type ThemeName } from "./style.js";
export { processTerminal } from "./terminal/process-terminal.js";
export type { TuiTerminal } from "./terminal/terminal.js";
