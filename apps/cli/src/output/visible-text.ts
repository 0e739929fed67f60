export { escapedLine, visibleJson, visibleLine, visibleText } from "@massgen/views";
