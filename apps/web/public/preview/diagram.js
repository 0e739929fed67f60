// Draws the one text that it gets by message, and says how high it is or what is wrong with it.
/** Some texts name pictures that never come, and are waited for. */
const MOST_MS = 10_000;
const late = () =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error("it takes longer than 10 s")), MOST_MS);
  });
const draw = async ({ diagram, dark }) => {
  // `strict`: what the text says of links, HTML and scripts is text.
  mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: dark ? "dark" : "default", suppressErrorRendering: true });
  const { svg } = await mermaid.render("diagram", diagram);
  document.body.innerHTML = svg;
  return { height: Math.ceil(document.body.getBoundingClientRect().height) };
};
addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data?.diagram !== "string") return;
  const say = (what) => parent.postMessage(what, "*");
  Promise.race([draw(data), late()]).then(say, (error) => say({ problem: String(error?.message ?? error).slice(0, 500) }));
});
parent.postMessage("ready", "*");
