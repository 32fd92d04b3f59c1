// SPDX-License-Identifier: Apache-2.0
// The plots of a worksheet, as src/page/chart_json.cpp describes them, for Chart.js; charts.js draws them.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const { series, faint, short, linear, options } = pageCharts;
  const brush = document.createElement('canvas').getContext('2d');

  // A colour of the program, or of the palette when it has none or an unknown one.
  const tone = (s, alpha) => {
    brush.fillStyle = series(s.palette || 0);
    if (s.colour) brush.fillStyle = s.colour;
    return brush.fillStyle.startsWith('#') ? faint(brush.fillStyle, alpha) : brush.fillStyle;
  };
  const symbols = { square: 'rect', diamond: 'rectRot', cross: 'cross', 'triangle-up': 'triangle', 'triangle-down': 'triangle' };
  const pairs = (x, y) => x.map((v, i) => ({ x: v === null ? NaN : v, y: y[i] === null ? NaN : y[i] }));
  const still = { pointRadius: 0, pointHitRadius: 0 };

  const datasets = {
    points: (s) => [{ data: pairs(s.x, s.y), showLine: false, pointStyle: symbols[s.symbol] || 'circle', rotation: s.symbol === 'triangle-down' ? 180 : 0,
      pointRadius: s.radius, pointHoverRadius: s.radius + 2, pointHitRadius: 4, pointBackgroundColor: tone(s, s.opacity), pointBorderColor: tone(s, s.opacity),
      pointBorderWidth: s.symbol === 'cross' ? 1.5 : 0, backgroundColor: tone(s, s.opacity), borderColor: tone(s, s.opacity) }],
    line: (s) => [{ data: pairs(s.x, s.y), borderColor: tone(s, s.opacity), backgroundColor: tone(s, s.opacity), borderWidth: 2, pointRadius: 0,
      pointHitRadius: 6, pointHoverRadius: 4 }],
    // The lower edge first; the upper one is filled down to it.
    band: (s) => [{ data: pairs(s.x, s.low), borderColor: 'transparent', silent: true, ...still },
      { data: pairs(s.x, s.y), borderColor: 'transparent', fill: '-1', backgroundColor: tone(s, s.fill), ...still }],
    bins: (s) => [{ data: s.y.flatMap((y, i) => [{ x: s.x[i], y: i ? s.y[i - 1] : 0 }, { x: s.x[i], y: 0 }, { x: s.x[i], y }, { x: s.x[i + 1], y }])
      .concat(s.y.length ? [{ x: s.x[s.y.length], y: 0 }] : []), fill: 'origin', backgroundColor: tone(s, s.fill || 0), borderColor: tone(s, s.opacity), borderWidth: 1,
      pointRadius: 0, pointHitRadius: 2 }],
    bars: (s, all) => [{ type: 'bar', data: pairs(s.x, s.y), backgroundColor: tone(s, s.fill || 0), borderColor: tone(s, 1), barPercentage: 0.9,
      categoryPercentage: 0.9, grouped: false, maxBarThickness: all > 1 ? undefined : 80 }],
  };

  const plot = (i) => {
    const c = data.charts[i];
    const sets = c.series.flatMap((s, k) => datasets[s.shape](s, c.series.length)
      // Later plots lie above earlier ones.
      .map((set, part, own) => ({ label: part === own.length - 1 ? s.label || '' : '', order: -k, ...set })));
    const [left, right] = c.x.range;
    const [low, high] = c.y.range;
    const x = linear(c.x.title, { min: left, max: right }, { includeBounds: false, maxTicksLimit: 9, maxRotation: 0 });
    if (c.categories) {
      x.ticks = { ...x.ticks, maxTicksLimit: 60, maxRotation: 50, autoSkip: true,
        callback: (v) => { const name = c.categories[v] ?? ''; return name.length > 18 ? name.slice(0, 17) + '…' : name; } };
      x.afterBuildTicks = (scale) => { scale.ticks = c.categories.map((_, value) => ({ value })); };
      x.grid = { ...x.grid, display: false };
    }
    const points = c.series.some((s) => s.shape === 'points');
    return {
      type: 'line', unsorted: true, data: { datasets: sets },
      options: options({ x, y: linear(c.y.title, { min: low, max: high }, { includeBounds: false, maxTicksLimit: 7 }) }, {
        legend: sets.some((s) => s.label), reverse: true, filter: (item) => Boolean(item.text),
        interaction: { mode: 'nearest', axis: points ? 'xy' : 'x', intersect: false },
        tooltip: { displayColors: c.series.length > 1, filter: (item) => !item.dataset.silent, callbacks: {
          title: (items) => items.length ? (c.categories ? c.categories[items[0].parsed.x] ?? '' : items[0].dataset.label || '') : '',
          label: (item) => c.categories ? short(item.parsed.y) : '(' + short(item.parsed.x) + ', ' + short(item.parsed.y) + ')' } },
      }),
    };
  };
  pageCharts.drawAll({ plot });
})();
