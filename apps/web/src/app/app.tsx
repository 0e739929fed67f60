import { Router } from "wouter";
import { useHashLocation } from "wouter/use-hash-location";
import { Door, Server } from "../server/server.js";
import { Texts } from "../text/texts.js";
import { Notices } from "./notices.js";
import { Pages } from "./pages.js";
import { Shell } from "./shell.js";

/** Routes stand behind `#`, so that the page works below any prefix and a reload never asks the server for one of them. */
export function App() {
  return (
    <Texts>
      <Router hook={useHashLocation}>
        <Notices>
          <Server>
            <Shell>
              <Door>
                <Pages />
              </Door>
            </Shell>
          </Server>
        </Notices>
      </Router>
    </Texts>
  );
}
