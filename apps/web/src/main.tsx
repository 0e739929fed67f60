import { createRoot } from "react-dom/client";
import { App } from "./app/app.js";
import "./styles/index.css";

const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no element #root.");
createRoot(root).render(<App />);
