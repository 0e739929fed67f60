// Draws the one text that it gets by message, and says how high it is or what is wrong with it.
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
  draw(data).then(say, (error) => say({ problem: String(error?.message ?? error).slice(0, 500) }));
});
parent.postMessage("ready", "*");
