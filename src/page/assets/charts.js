// SPDX-License-Identifier: Apache-2.0
// What the charts of all pages share: colours of the style sheet, axes, and when a chart is drawn. A chart is made when it comes near
// the window (or at once, all of them, when the address ends in #all or the page is printed), and made again when the colour scheme
// changes.
'use strict';
const pageCharts = (() => {
  const still = { animation: false };

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const series = (i) => colour('series-' + (i % 8 + 1));
  const faint = (hex, alpha) => hex + Math.round(alpha * 255).toString(16).padStart(2, '0');
  const short = (x) => x === null || x === undefined ? '-' : String(Number(Number(x).toPrecision(4)));
  const points = (curve) => curve.x.map((x, i) => ({ x, y: curve.y[i] }));

  const axis = (title, more = {}) => ({
    title: { display: Boolean(title), text: title, color: colour('soft') },
    ticks: { color: colour('soft'), maxRotation: 50, ...more.ticks },
    grid: { color: colour('grid'), borderColor: colour('line'), display: more.lines !== false },
    ...more.scale,
  });
  const linear = (title, scale = {}, ticks = {}) => axis(title, { scale: { type: 'linear', ...scale }, ticks });
  const options = (scales, more = {}) => ({
    ...still,
    responsive: true,
    maintainAspectRatio: false,
    scales,
    interaction: more.interaction || { mode: 'nearest', axis: 'x', intersect: false },
    plugins: {
      legend: { display: Boolean(more.legend), position: 'bottom', reverse: Boolean(more.reverse),
        labels: { color: colour('soft'), boxWidth: 12, boxHeight: 3, usePointStyle: false, filter: more.filter } },
      tooltip: more.tooltip || {},
      marks: more.marks,
      subtitle: { display: Boolean(more.note), text: more.note, align: 'end', color: more.noteColour || colour('soft'), font: { size: 11 }, padding: { bottom: 4 } },
    },
  });
  const line = (label, values, i, more = {}) => ({
    label, data: values, borderColor: series(i), backgroundColor: series(i), borderWidth: 1.5, pointRadius: 0, pointHitRadius: 6, ...more,
  });

  // Draws what `charts[data-chart](data-of)` says into each canvas of the page.
  const drawAll = (charts) => {
    const drawn = new Map();
    function draw(canvas) {
      if (drawn.has(canvas)) return;
      const config = charts[canvas.dataset.chart](Number(canvas.dataset.of));
      // Points that come sorted need no looking at; strokes of trees go back and forth.
      if (config.type === 'line' && !config.data.labels && !config.unsorted) config.options.parsing = false;
      drawn.set(canvas, new Chart(canvas, config));
      canvas.dataset.drawn = 'yes';
    }
    function erase() {
      const all = [...drawn.keys()];
      for (const chart of drawn.values()) chart.destroy();
      drawn.clear();
      return all;
    }

    const canvases = [...document.querySelectorAll('canvas[data-chart]')];
    const drawEvery = () => {
      for (const part of document.querySelectorAll('details.part')) part.open = true;
      canvases.forEach(draw);
    };
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watch.unobserve(entry.target);
        draw(entry.target);
      }
    }, { rootMargin: '400px' });
    for (const canvas of canvases) {
      const place = canvas.getBoundingClientRect();
      if (place.height > 0 && place.top < window.innerHeight) draw(canvas); else watch.observe(canvas);
    }
    if (location.hash === '#all') drawEvery();

    window.addEventListener('beforeprint', () => {
      drawEvery();
      for (const chart of drawn.values()) chart.resize();
    });
    window.addEventListener('afterprint', () => { for (const chart of drawn.values()) chart.resize(); });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => erase().forEach(draw));
  };

  return { colour, series, faint, short, points, axis, linear, options, line, drawAll };
})();
