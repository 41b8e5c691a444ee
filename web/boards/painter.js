// @ts-check
/** Paints a board on a canvas as the page shows it, without a server: shapes, texts and gradients in the current colours. */

/** Layers that concern the interaction, not the position. */
const INTERACTION_LAYERS = ".hover, .aim-cross, .hint, .marks, .targets";

/** @typedef {CanvasRenderingContext2D} Context */

/**
 * @param {SVGSVGElement} svg a board that is on the page
 * @param {number} size of the longer side, in pixels
 */
export function paint(svg, size) {
  const { width, height } = svg.viewBox.baseVal;
  const scale = size / Math.max(width, height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const context = /** @type {Context} */ (canvas.getContext("2d"));
  const origin = new DOMMatrix([scale, 0, 0, scale, 0, 0]).multiply(svg.getScreenCTM()?.inverse());
  paintAll(context, svg, origin);
  return canvas;
}

/** @param {Context} context @param {SVGElement} parent @param {DOMMatrix} origin from the screen to the canvas */
function paintAll(context, parent, origin) {
  for (const child of parent.children) {
    const style = getComputedStyle(child);
    if (!(child instanceof SVGGraphicsElement) || style.display === "none" || child.matches(INTERACTION_LAYERS)) continue;
    context.save();
    context.globalAlpha *= Number(style.opacity);
    if (child instanceof SVGSVGElement) clip(context, child, origin);
    if (child instanceof SVGGElement || child instanceof SVGSVGElement) paintAll(context, child, origin);
    else {
      context.setTransform(origin.multiply(child.getScreenCTM() ?? undefined));
      paintOne(context, child, style);
    }
    context.restore();
  }
}

/** Clips a nested drawing to its box. @param {Context} context @param {SVGSVGElement} inner @param {DOMMatrix} origin */
function clip(context, inner, origin) {
  const { x, y, width, height } = inner;
  const parent = /** @type {SVGGElement} */ (inner.parentNode);
  context.setTransform(origin.multiply(parent.getScreenCTM() ?? undefined));
  context.beginPath();
  context.rect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value);
  context.clip();
}

/** @param {Context} context @param {SVGGraphicsElement} element @param {CSSStyleDeclaration} style */
function paintOne(context, element, style) {
  const opacity = context.globalAlpha;
  const isText = element instanceof SVGTextElement;
  const path = isText ? null : pathOf(element);
  const number = (/** @type {string} */ name) => Number(element.getAttribute(name));
  if (isText) Object.assign(context, { font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, textAlign: "center", textBaseline: "middle" });
  const fill = () => {
    if (style.fill === "none") return;
    context.globalAlpha = opacity * Number(style.fillOpacity);
    context.fillStyle = colour(context, element, style.fill);
    if (path) context.fill(path, style.fillRule === "evenodd" ? "evenodd" : "nonzero");
    else context.fillText(element.textContent ?? "", number("x"), number("y"));
  };
  const stroke = () => {
    if (style.stroke === "none") return;
    context.globalAlpha = opacity * Number(style.strokeOpacity);
    context.strokeStyle = colour(context, element, style.stroke);
    context.lineWidth = parseFloat(style.strokeWidth);
    context.lineCap = /** @type {CanvasLineCap} */ (style.strokeLinecap);
    context.lineJoin = /** @type {CanvasLineJoin} */ (style.strokeLinejoin);
    context.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(",").map(parseFloat));
    if (path) context.stroke(path);
    else context.strokeText(element.textContent ?? "", number("x"), number("y"));
  };
  const order = [fill, stroke];
  if (style.paintOrder.startsWith("stroke")) order.reverse();
  for (const part of order) part();
}

/** @param {SVGGraphicsElement} element */
function pathOf(element) {
  const [x, y, width, height, rx, cx, cy, r, x1, y1, x2, y2] = ["x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2"]
    .map((name) => Number(element.getAttribute(name)));
  const path = new Path2D(element.getAttribute("d") ?? "");
  if (element instanceof SVGRectElement) path.roundRect(x, y, width, height, rx);
  else if (element instanceof SVGCircleElement) path.arc(cx, cy, r, 0, 2 * Math.PI);
  else if (element instanceof SVGLineElement) {
    path.moveTo(x1, y1);
    path.lineTo(x2, y2);
  }
  return path;
}

/** A colour, or a gradient over the box of an element. @param {Context} context @param {SVGGraphicsElement} element @param {string} paint */
function colour(context, element, paint) {
  const source = document.getElementById(/^url\(["']?#([^"')]+)/.exec(paint)?.[1] ?? "");
  if (!source) return paint;
  const { x, y, width, height } = element.getBBox();
  const part = (/** @type {string} */ name, /** @type {number} */ fallback) => Number(source.getAttribute(name) ?? fallback);
  const [cx, cy] = [part("cx", 0.5), part("cy", 0.5)];
  const gradient = source instanceof SVGRadialGradientElement
    ? context.createRadialGradient(x + part("fx", cx) * width, y + part("fy", cy) * height, 0, x + cx * width, y + cy * height, part("r", 0.5) * width)
    : context.createLinearGradient(x + part("x1", 0) * width, y + part("y1", 0) * height, x + part("x2", 1) * width, y + part("y2", 0) * height);
  for (const stop of source.children) {
    const { stopColor, stopOpacity } = getComputedStyle(stop);
    gradient.addColorStop(Number(stop.getAttribute("offset")), stopColor.replace("rgb(", "rgba(").replace(")", `, ${stopOpacity})`));
  }
  return gradient;
}
