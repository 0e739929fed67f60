import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { NotFound } from "../pages/not-found.js";
import { Loading } from "../parts/loading.js";
import { useReadOnly } from "../server/server.js";

// What is not needed for the first look comes when it is asked for.
const Compare = lazy(async () => ({ default: (await import("../pages/compare.js")).Compare }));
const Home = lazy(async () => ({ default: (await import("../pages/home.js")).Home }));
const RunPage = lazy(async () => ({ default: (await import("../pages/run.js")).RunPage }));
const Sessions = lazy(async () => ({ default: (await import("../pages/sessions.js")).Sessions }));
const SessionPage = lazy(async () => ({ default: (await import("../pages/session.js")).SessionPage }));
const Setup = lazy(async () => ({ default: (await import("../pages/setup.js")).Setup }));
const Teams = lazy(async () => ({ default: (await import("../pages/teams.js")).Teams }));
const Runs = lazy(async () => ({ default: (await import("../pages/runs.js")).Runs }));

export function Pages() {
  const readOnly = useReadOnly();
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/">{readOnly ? <Redirect to="/runs" replace /> : <Home />}</Route>
        <Route path="/runs">
          <Runs />
        </Route>
        <Route path="/runs/:id/:tab?">{({ id, tab }) => <RunPage key={id} id={decodeURIComponent(id)} tab={tab ?? "team"} />}</Route>
        <Route path="/compare/:one/:other">
          {({ one, other }) => <Compare key={`${one} ${other}`} one={decodeURIComponent(one)} other={decodeURIComponent(other)} />}
        </Route>
        {readOnly ? null : asking}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** Not there where the server only shows runs. */
const asking = (
  <>
    <Route path="/ask/:team">{({ team }) => <Home key={team} team={decodeURIComponent(team)} />}</Route>
    <Route path="/sessions">
      <Sessions />
    </Route>
    <Route path="/sessions/:id">{({ id }) => <SessionPage key={id} id={decodeURIComponent(id)} />}</Route>
    <Route path="/setup">
      <Setup />
    </Route>
    <Route path="/teams">
      <Teams />
    </Route>
  </>
);
