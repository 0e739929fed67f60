// Draws the one text that it gets by message, and says how high it is or what is wrong with it.
addEventListener("message", async ({ data, source }) => {
  if (source !== parent || typeof data?.diagram !== "string") return;
  try {
    // `strict`: what the text says of links, HTML and scripts is text.
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: data.dark ? "dark" : "default",
      suppressErrorRendering: true,
    });
    const { svg } = await mermaid.render("diagram", data.diagram);
    document.body.innerHTML = svg;
    parent.postMessage({ height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
  } catch (error) {
    parent.postMessage({ problem: String(error?.message ?? error).slice(0, 500) }, "*");
  }
});
parent.postMessage("ready", "*");
