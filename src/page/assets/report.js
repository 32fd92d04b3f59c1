// SPDX-License-Identifier: Apache-2.0
// The charts of a report page, from the data in it, for Chart.js; charts.js draws them. What each shows is in docs/report.md; the data
// in the headers of src/page/*_charts.cpp and predictive_checks.cpp.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const { colour, series, faint, short, points, axis, linear, options, line } = pageCharts;

  // Vertical marks below the curve of a distribution: an interval and lines.
  Chart.register({
    id: 'marks',
    beforeDatasetsDraw(chart, _, marks) {
      if (!marks || !marks.interval) return;
      const { ctx, chartArea: area, scales: { x } } = chart;
      const at = (v) => Math.min(Math.max(x.getPixelForValue(v), area.left), area.right);
      ctx.save();
      const [low, high] = marks.interval;
      if (low !== null && high !== null) {
        ctx.fillStyle = faint(colour('series-7'), 0.10);
        ctx.fillRect(at(low), area.top, at(high) - at(low), area.bottom - area.top);
      }
      ctx.restore();
    },
    afterDatasetsDraw(chart, _, marks) {
      if (!marks || marks.mean === null || marks.mean === undefined) return;
      const { ctx, chartArea: area, scales: { x } } = chart;
      const px = x.getPixelForValue(marks.mean);
      if (px < area.left || px > area.right) return;
      ctx.save();
      ctx.strokeStyle = colour('series-2');
      ctx.lineWidth = 1.5;
      if (!marks.solid) ctx.setLineDash([5, 3]);
      ctx.beginPath();
      ctx.moveTo(px, area.top);
      ctx.lineTo(px, area.bottom);
      ctx.stroke();
      ctx.restore();
    },
  });
  // Errors of probabilities, as strokes on the ends of bars.
  const errorBars = {
    id: 'errorBars',
    afterDatasetsDraw(chart) {
      const set = chart.data.datasets[0];
      if (!set.errors) return;
      const { ctx, scales } = chart;
      const flat = chart.options.indexAxis === 'y';
      ctx.save();
      ctx.strokeStyle = colour('ink');
      ctx.lineWidth = 1.2;
      chart.getDatasetMeta(0).data.forEach((bar, i) => {
        const e = 2 * (set.errors[i] || 0);
        if (!(e > 0)) return;
        const scale = flat ? scales.x : scales.y;
        const p = set.data[i].y ?? set.data[i];
        const from = scale.getPixelForValue(Math.max(0, p - e));
        const to = scale.getPixelForValue(Math.min(1, p + e));
        ctx.beginPath();
        if (flat) { ctx.moveTo(from, bar.y); ctx.lineTo(to, bar.y); } else { ctx.moveTo(bar.x, from); ctx.lineTo(bar.x, to); }
        ctx.stroke();
      });
      ctx.restore();
    },
  };

  // Strokes from 5 % to 95 % through points.
  const intervals = {
    id: 'intervals',
    beforeDatasetsDraw(chart) {
      const set = chart.data.datasets[0];
      const { ctx, scales: { y } } = chart;
      ctx.save();
      ctx.strokeStyle = faint(series(0), set.thick ? 0.35 : 0.6);
      ctx.lineWidth = set.thick || 3;
      chart.getDatasetMeta(0).data.forEach((point, i) => {
        if (set.low[i] === null || set.high[i] === null) return;
        ctx.beginPath();
        ctx.moveTo(point.x, y.getPixelForValue(set.low[i]));
        ctx.lineTo(point.x, y.getPixelForValue(set.high[i]));
        ctx.stroke();
      });
      ctx.restore();
    },
  };

  // The bars of a histogram: a stepped area, so that bins have their true edges.
  const outline = (h) => {
    const width = (h.high - h.low) / Math.max(1, h.mass.length);
    return h.mass.flatMap((mass, k) => [{ x: h.low + k * width, y: mass / width }, { x: h.low + (k + 1) * width, y: mass / width }]);
  };

  // The axis of a label in the pair plot, the same wherever it stands. What is positive and spreads over orders of magnitude is shown
  // in logarithms: the neck of a funnel lies near zero.
  const pairAxis = (i) => {
    const all = data.pairs.values[i].concat(data.pairs.divergent[i]).filter((v) => v !== null);
    const least = Math.min(...all), most = Math.max(...all);
    if (least > 0 && most / least > 50) return { type: 'logarithmic', min: least / 1.2, max: most * 1.2 };
    const pad = 0.04 * (most - least) || 0.5;
    return { type: 'linear', min: least - pad, max: most + pad };
  };
  // Its numbers stand at the left and at the bottom; `thick` keeps the frames of all cells in line.
  const pairScale = (i, side, shown, more = {}) => axis('', { lines: more.lines,
    scale: { ...pairAxis(i), ...more, afterFit(scale) { scale[side] = shown ? (side === 'width' ? 42 : 22) : 4; } },
    ticks: { display: shown, maxTicksLimit: 4, includeBounds: false, maxRotation: 0, font: { size: 10 },
      callback(v) { return this.type === 'logarithmic' && !Number.isInteger(Math.log10(v)) ? '' : short(v); } } });

  // Numbers near the ends of what a number can be are given in a power of ten.
  const unit = (row) => row.unit ? ' × ' + row.unit : '';

  const charts = {
    distribution(i) {
      const row = data.rows[i];
      const h = row.histogram;
      const sets = [];
      if (row.density) sets.push(line('density', points(row.density), 0, { borderWidth: 2 }));
      sets.push({ label: 'histogram', data: outline(h), fill: 'origin', backgroundColor: faint(series(5), 0.45), borderColor: faint(series(5), 0.9),
        borderWidth: 1, pointRadius: 0, pointHitRadius: 0 });
      const outside = (h.below || 0) + (h.above || 0);
      return {
        type: 'line', data: { datasets: sets },
        options: options(
          { x: linear(unit(row), { min: h.low, max: h.high }, { maxTicksLimit: 7, includeBounds: false }), y: linear('', { beginAtZero: true }, { maxTicksLimit: 5 }) },
          { marks: { interval: [row.q5, row.q95], mean: row.mean },
            note: 'mean ' + short(row.mean) + unit(row) + (outside > 1e-9 ? '; ' + Number((100 * outside).toPrecision(2)) + ' % lies outside' : ''),
            tooltip: { filter: (item) => item.dataset.label === 'density' || !row.density,
              callbacks: { title: (items) => items.length ? row.label + ' = ' + short(items[0].parsed.x) : '',
                label: (item) => 'density ' + short(item.parsed.y) } } }),
      };
    },

    bars(i) {
      const row = data.rows[i];
      const values = row.bars.values.slice();
      const p = row.bars.p.slice();
      const errors = row.bars.mcse.slice();
      if (row.bars.other > 0) { values.push('others'); p.push(row.bars.other); errors.push(null); }
      const flat = values.some((v) => v.length > 6) || (values.length > 24 && !row.bars.whole);
      // Integers so far apart that not every one between them has a place.
      const apart = row.bars.whole && values.some((v, k) => k > 0 && Number(v) - Number(values[k - 1]) > 1);
      if (apart && row.bars.other === 0) {
        const pad = 0.06 * (values[values.length - 1] - values[0]);
        return {
          type: 'bar',
          data: { datasets: [{ label: 'probability', data: p.map((y, k) => ({ x: Number(values[k]), y })), errors, backgroundColor: faint(series(0), 0.75), barThickness: 8 }] },
          options: options({ x: linear('', { min: values[0] - pad, max: Number(values[values.length - 1]) + pad }, { maxTicksLimit: 6, precision: 0, includeBounds: false }),
            y: linear('', { min: 0, suggestedMax: Math.max(...p) }, { maxTicksLimit: 6 }) },
            { tooltip: { callbacks: { title: (items) => items.length ? values[items[0].dataIndex] : '', label: (item) => short(item.parsed.y) } } }),
          plugins: [errorBars],
        };
      }
      const share = linear('', { min: 0, suggestedMax: Math.min(1, Math.max(...p.map((x, k) => x + 2 * (errors[k] || 0)))) }, { maxTicksLimit: 6 });
      const names = axis('', { lines: false, ticks: { autoSkip: values.length > 24 || row.bars.whole,
        callback(k) { const v = values[k]; return v.length > 22 ? v.slice(0, 21) + '…' : v; } }, scale: { type: 'category' } });
      return {
        type: 'bar',
        data: { labels: values, datasets: [{ label: 'probability', data: p, errors, backgroundColor: faint(series(0), 0.75), maxBarThickness: 60 }] },
        options: { ...options(flat ? { x: share, y: names } : { x: names, y: share },
          { interaction: { mode: 'nearest', axis: flat ? 'y' : 'x', intersect: false },
            tooltip: { callbacks: { label: (item) => short(p[item.dataIndex]) +
              (errors[item.dataIndex] ? ' ± ' + short(errors[item.dataIndex]) : '') } } }), indexAxis: flat ? 'y' : 'x' },
        plugins: [errorBars],
      };
    },

    trace(i) {
      const row = data.rows[i];
      const t = row.trace;
      const names = t.values;
      const dots = row.kind !== 'real';  // strokes between a few values would only fill the picture
      let y = linear(unit(row), {}, { maxTicksLimit: 6, precision: dots ? 0 : undefined });
      if (names) {
        y = linear('', { min: -0.5, max: names.length - 0.5, afterBuildTicks(scale) { scale.ticks = names.map((_, value) => ({ value })); } },
          { callback: (v) => { const name = names[v] || ''; return name.length > 14 ? name.slice(0, 13) + '…' : name; } });
      } else if (dots) {
        y.grace = 0.4;
      }
      // Chains lie a little above one another.
      const shift = (k) => dots && t.curves.length > 1 ? 0.3 * (k / (t.curves.length - 1) - 0.5) : 0;
      const curve = (c, k) => points(c).map((p) => ({ x: p.x, y: p.y === null ? null : p.y + shift(k) }));
      return {
        type: 'line',
        data: { datasets: t.curves.map((c, k) => line(t.names[k], curve(c, k), k,
          dots ? { showLine: false, pointRadius: 1.2, pointBackgroundColor: faint(series(k), 0.5), pointBorderWidth: 0 } : { borderWidth: 0.8 })) },
        options: options({ x: linear('draw', {}, { maxTicksLimit: 8 }), y }, { legend: t.curves.length > 1,
          tooltip: dots ? { callbacks: { label: (item) => { const v = Math.round(item.parsed.y - shift(item.datasetIndex));
            return item.dataset.label + ': ' + (names ? names[v] : v); } } } : {} }),
      };
    },

    ranks(i) {
      const r = data.rows[i].ranks;
      const bins = r.shares[0].length;
      const sets = r.shares.map((share, k) => line(r.names[k],
        share.flatMap((y, b) => [{ x: b / bins, y }, { x: (b + 1) / bins, y }]), k, { borderWidth: 1.6 }));
      sets.push({ label: 'expected', data: [{ x: 0, y: 1 }, { x: 1, y: 1 }], borderColor: colour('soft'), borderDash: [4, 4], borderWidth: 1, pointRadius: 0,
        pointHitRadius: 0 });
      return {
        type: 'line', data: { datasets: sets },
        options: options({ x: linear('rank among all draws', { min: 0, max: 1 }, { stepSize: 0.25, maxRotation: 0, callback: (v) => Math.round(100 * v) + '%' }),
          y: linear('', { min: 0, suggestedMax: 2 }, { maxTicksLimit: 5 }) }, { legend: true, filter: (item) => item.text !== 'expected' }),
      };
    },

    autocorrelation(i) {
      const a = data.rows[i].autocorrelation;
      return {
        type: 'line',
        data: { datasets: a.curves.map((c, k) => line(a.names[k], points(c), k)) },
        options: options({ x: linear('draws between', { min: 0 }, { maxTicksLimit: 8 }), y: linear('', { suggestedMin: 0, max: 1 }, { maxTicksLimit: 6 }) },
          { legend: a.curves.length > 1 }),
      };
    },

    running(i) {
      const row = data.rows[i];
      const r = row.running;
      const sets = r.curves.map((c, k) => line(r.names[k], points(c), k));
      const last = Math.max(...r.curves.map((c) => c.x.length ? c.x[c.x.length - 1] : 0));
      if (!r.probability && row.mean !== null && row.mcse !== null) {
        const flat = (y) => [{ x: 0, y }, { x: last, y }];
        const quiet = { borderColor: 'transparent', pointRadius: 0, pointHitRadius: 0 };
        sets.push({ label: 'band', data: flat(row.mean - 2 * row.mcse), ...quiet },
          { label: 'band', data: flat(row.mean + 2 * row.mcse), fill: '-1', backgroundColor: faint(colour('series-7'), 0.14), ...quiet });
      }
      return {
        type: 'line', data: { datasets: sets },
        options: options({ x: linear('draws', { min: 0 }, { maxTicksLimit: 8 }),
          y: linear(unit(row), r.probability ? { min: 0, max: 1 } : {}, { maxTicksLimit: 6 }) },
          { legend: r.curves.length > 1 || r.probability, filter: (item) => item.text !== 'band',
            note: r.probability || row.mcse === null ? '' : short(row.mean) + ' ± ' + short(2 * row.mcse) + unit(row),
            tooltip: { filter: (item) => item.dataset.label !== 'band' } }),
      };
    },

    group(i) {
      const g = data.groups[i];
      const names = axis('', { lines: false, scale: { type: 'category', stacked: Boolean(g.values) }, ticks: { maxTicksLimit: 40 } });
      if (g.values) {
        return {
          type: 'bar',
          data: { labels: g.paths, datasets: g.values.map((v, k) => ({ label: v, data: g.p[k],
            backgroundColor: v === 'others' ? colour('line') : k < 8 ? faint(series(k), 0.85) : faint(series(k), 0.45), barPercentage: 0.95,
            categoryPercentage: 0.95 })) },
          options: options({ x: names, y: linear('', { min: 0, max: 1, stacked: true }, { maxTicksLimit: 6 }) },
            { legend: true, interaction: { mode: 'index', intersect: false } }),
        };
      }
      if (g.paths.length <= 12) {  // few parts do not form a curve: each has a stroke of its own
        return {
          type: 'line',
          data: { labels: g.paths, datasets: [{ label: 'mean', data: g.mean, low: g.q5, high: g.q95, showLine: false, borderColor: series(0),
            backgroundColor: series(0), pointRadius: 4 }] },
          options: options({ x: { ...names, offset: true }, y: linear(unit(g), { suggestedMin: Math.min(...g.q5), suggestedMax: Math.max(...g.q95) }, { maxTicksLimit: 6 }) },
            { interaction: { mode: 'index', intersect: false }, tooltip: { callbacks: {
              label: (item) => short(g.mean[item.dataIndex]) + ' (' + short(g.q5[item.dataIndex]) + ' to ' + short(g.q95[item.dataIndex]) + ')' } } }),
          plugins: [intervals],
        };
      }
      const dots = g.paths.length < 60 ? 2.5 : 0;
      return {
        type: 'line',
        data: { labels: g.paths, datasets: [
          { label: '5 %', data: g.q5, borderColor: 'transparent', pointRadius: 0, pointHitRadius: 0 },
          { label: '95 %', data: g.q95, fill: '-1', backgroundColor: faint(series(0), 0.22), borderColor: 'transparent', pointRadius: 0, pointHitRadius: 0 },
          { label: 'mean', data: g.mean, borderColor: series(0), backgroundColor: series(0), borderWidth: 1.5, pointRadius: dots },
        ] },
        options: options({ x: names, y: linear(unit(g), {}, { maxTicksLimit: 6 }) }, { interaction: { mode: 'index', intersect: false } }),
      };
    },

    checkCurves(i) {
      const c = data.checks[i].curves;
      const sets = [line('observed', points(c.observed), 1, { borderWidth: 2.2 })];
      c.replicated.forEach((r, k) => sets.push({ label: k ? 'more' : 'replicated', data: points(r), borderColor: faint(series(0), 0.3), backgroundColor: faint(series(0), 0.3),
        borderWidth: 1, pointRadius: 0, pointHitRadius: 0 }));
      return {
        type: 'line', data: { datasets: sets },
        options: options({ x: linear('', {}, { maxTicksLimit: 7, includeBounds: false }), y: linear('', { beginAtZero: true }, { maxTicksLimit: 5 }) },
          { legend: true, filter: (item) => item.text !== 'more', tooltip: { enabled: false } }),
      };
    },

    checkBars(i) {
      const b = data.checks[i].bars;
      const names = b.observed.map((_, k) => b.width === 1 ? String(b.low + k) : (b.low + k * b.width) + ' to ' + (b.low + (k + 1) * b.width - 1));
      return {
        type: 'bar',
        data: { labels: names, datasets: [
          { type: 'line', label: 'replicated, 5 % to 95 %', data: b.mid_share, low: b.low_share, high: b.high_share, showLine: false, borderColor: series(0),
            backgroundColor: series(0), pointRadius: 3 },
          { label: 'observed', data: b.observed, backgroundColor: faint(series(1), 0.55), maxBarThickness: 60, categoryPercentage: 0.9, barPercentage: 0.95 }] },
        options: options({ x: axis('', { lines: false, scale: { type: 'category' } }), y: linear('', { beginAtZero: true, suggestedMax: Math.max(...b.high_share) }, { maxTicksLimit: 5 }) },
          { legend: true, interaction: { mode: 'index', intersect: false }, tooltip: { callbacks: { label: (item) => item.dataset.low ?
            'replicated: ' + short(b.mid_share[item.dataIndex]) + ' (' + short(b.low_share[item.dataIndex]) + ' to ' + short(b.high_share[item.dataIndex]) + ')' :
            'observed: ' + short(item.parsed.y) } } }),
        plugins: [intervals],
      };
    },

    // Where the statistic of the data lies among those of replicated data.
    checkStatistic(k) {
      const s = data.checks[Math.floor(k / 10)].statistics[k % 10];
      const h = s.histogram;
      const odd = s.p < 0.025 || s.p > 0.975;
      const pad = 0.05 * (h.high - h.low);
      return {
        type: 'line',
        data: { datasets: [{ label: 'replicated', data: outline(h), fill: 'origin', backgroundColor: faint(series(0), 0.3), borderColor: faint(series(0), 0.7), borderWidth: 1,
          pointRadius: 0, pointHitRadius: 0 }] },
        options: options({ x: linear('', { min: Math.min(h.low, s.observed - pad), max: Math.max(h.high, s.observed + pad) }, { maxTicksLimit: 6, includeBounds: false }),
          y: linear('', { beginAtZero: true, display: false }) },
        { marks: { mean: s.observed, solid: true }, note: 'observed ' + short(s.observed) + ', p = ' + Number(s.p.toFixed(3)), noteColour: odd ? colour('bad') : undefined,
          tooltip: { enabled: false } }),
      };
    },

    checkIntervals(i) {
      const v = data.checks[i].intervals;
      const outside = v.observed.map((y, k) => y < v.q5[k] || y > v.q95[k]);
      const many = v.x.length > 80;
      return {
        type: 'line',
        data: { datasets: [
          { label: 'replicated, 5 % to 95 %', data: v.x.map((x, k) => ({ x, y: v.q50[k] })), low: v.q5, high: v.q95, showLine: false, pointRadius: 0, pointHitRadius: 6,
            borderColor: faint(series(0), 0.45), backgroundColor: faint(series(0), 0.45), thick: many ? 2 : 5 },
          { label: 'observed', data: v.x.map((x, k) => ({ x, y: v.observed[k] })), showLine: false, pointRadius: many ? 2 : 3.5, borderWidth: 0,
            borderColor: series(1), backgroundColor: series(1), pointStyle: outside.map((o) => o ? 'rectRot' : 'circle'),
            pointRadius: outside.map((o) => (o ? 1.6 : 1) * (many ? 2 : 3.2)) }] },
        options: options({ x: linear('observation', { min: -0.6, max: v.of - 0.4 }, { maxTicksLimit: 12, precision: 0, includeBounds: false }),
          y: linear('', { suggestedMin: Math.min(...v.q5), suggestedMax: Math.max(...v.q95) }, { maxTicksLimit: 6 }) },
        { legend: true, note: v.inside + ' of ' + v.of + ' lie in their 90 % interval',
          tooltip: { callbacks: { title: (items) => items.length ? 'observation ' + items[0].parsed.x : '', label: (item) => item.dataset.low ?
            'replicated: ' + short(v.q50[item.dataIndex]) + ' (' + short(v.q5[item.dataIndex]) + ' to ' + short(v.q95[item.dataIndex]) + ')' :
            'observed: ' + short(item.parsed.y) } } }),
        plugins: [intervals],
      };
    },

    pair(k) {
      const p = data.pairs;
      const n = p.labels.length;
      const row = Math.floor(k / n), column = k % n;
      const xy = (from) => from[column].map((x, j) => ({ x, y: from[row][j] }));
      const dots = (radius, paint) => ({ pointRadius: radius, pointBorderWidth: 0, backgroundColor: paint, pointHitRadius: 0 });
      return {
        type: 'scatter',
        data: { datasets: [
          { label: 'diverged', data: xy(p.divergent), ...dots(2.4, faint(series(1), 0.8)) },
          { label: 'draws', data: xy(p.values), ...dots(1.4, faint(series(0), 0.45)) }] },
        options: { ...options({ x: pairScale(column, 'height', row === n - 1), y: pairScale(row, 'width', column === 0) }), events: [] },
      };
    },

    own(i) {
      const p = data.pairs;
      const { type, min, max } = pairAxis(i);
      const place = type === 'linear' ? (v) => v : Math.log;
      const bins = 24;
      const edge = (k) => type === 'linear' ? min + k * (max - min) / bins : min * Math.pow(max / min, k / bins);
      const mass = new Array(bins).fill(0);
      for (const v of p.values[i]) mass[Math.min(bins - 1, Math.floor((place(v) - place(min)) / (place(max) - place(min)) * bins))] += 1;
      return {
        type: 'line',
        data: { datasets: [{ data: mass.flatMap((y, k) => [{ x: edge(k), y }, { x: edge(k + 1), y }]), fill: 'origin', backgroundColor: faint(series(5), 0.45),
          borderColor: faint(series(5), 0.9), borderWidth: 1, pointRadius: 0, pointHitRadius: 0 }] },
        options: { ...options({ x: pairScale(i, 'height', i === p.labels.length - 1),
          y: axis('', { lines: false, scale: { type: 'linear', min: 0, grace: '20%', afterFit(scale) { scale.width = i === 0 ? 42 : 4; } }, ticks: { display: false } }) }), events: [] },
      };
    },

    energy() {
      const e = data.energy;
      const least = Math.min(...e.fractions.filter((f) => f !== null));
      const area = (label, curve, i) => line(label, points(curve), i, { fill: 'origin', backgroundColor: faint(series(i), 0.25) });
      return {
        type: 'line', data: { datasets: [area('changes', e.transition, 1), area('energy, less its mean', e.marginal, 0)] },
        options: options({ x: linear('', {}, { maxTicksLimit: 7, includeBounds: false }), y: linear('', { beginAtZero: true }, { maxTicksLimit: 5 }) },
          { legend: true, tooltip: { enabled: false }, noteColour: least < 0.2 ? colour('bad') : undefined,
            note: 'E-BFMI ' + e.fractions.map((f) => f === null ? '-' : Number(f.toFixed(2))).join(', ') }),
      };
    },

    ess() {
      const e = data.ess;
      e.last = Math.max(...e.series.map((s) => s.x[s.x.length - 1]));
      const sets = [];
      const quiet = { label: 'range', borderColor: 'transparent', pointRadius: 0, pointHitRadius: 0 };
      e.series.forEach((s, k) => {
        const dots = s.x.length < 80 ? 2.5 : 0;
        const xy = (y) => s.x.map((x, j) => ({ x, y: y[j] }));
        // Observes of a line that lie apart do not form a curve: no strokes between them.
        const course = s.x.length > 1 && (s.x.every((x, j) => j === 0 || x - s.x[j - 1] <= 1) || s.x.length >= 80);
        if (course) {
          sets.push({ ...quiet, data: xy(s.least) }, { ...quiet, data: xy(s.most), fill: '-1', backgroundColor: faint(series(k), 0.18) });
        } else {
          const bars = s.x.flatMap((x, j) => [{ x, y: s.least[j] }, { x, y: s.most[j] }, { x, y: NaN }]);
          sets.push({ ...quiet, data: bars, borderColor: faint(series(k), 0.45), borderWidth: 4 });
        }
        sets.push(line(s.line ? 'line ' + s.line : 'line unknown', xy(s.mean), k,
          { pointRadius: dots || (course ? 0 : 2), showLine: course, least: s.least, most: s.most }));
      });
      if (e.series.length > 1) {
        const all = e.series.flatMap((s) => s.x.map((x, j) => ({ x, y: s.mean[j] }))).sort((a, b) => a.x - b.x);
        sets.push({ ...quiet, data: all, borderColor: faint(series(6), 0.4), borderWidth: 1 });
      }
      return {
        type: 'line', data: { datasets: sets },
        options: options({ x: linear('observe', e.last > 40 ? {} : { min: 0.5, max: e.last + 0.5 }, { stepSize: e.last > 40 ? undefined : 1, precision: 0, includeBounds: false, maxTicksLimit: 20 }),
          y: linear('ESS', { min: 0, suggestedMax: e.particles || undefined }, { maxTicksLimit: 6 }) },
          { legend: e.series.length <= 16, filter: (item) => item.text !== 'range',
            tooltip: { filter: (item) => item.dataset.label !== 'range', callbacks: {
              title: (items) => items.length ? 'observe ' + items[0].parsed.x : '',
              label: (item) => item.dataset.label + ': ESS ' + short(item.parsed.y) + ' (' + short(item.dataset.least[item.dataIndex]) + ' to ' +
                short(item.dataset.most[item.dataIndex]) + ')' } } }),
      };
    },

    ancestry(i) {
      const a = data.ancestry[i];
      const stroke = (s, colour_, width) => ({ data: s.x.map((x, k) => ({ x: x === null ? NaN : x, y: s.y[k] === null ? NaN : s.y[k] })),
        borderColor: colour_, borderWidth: width, pointRadius: 0, pointHitRadius: 0, spanGaps: false });
      const many = a.alive.x.length + a.dead.x.length > 9000;
      return {
        type: 'line', unsorted: true,
        data: { datasets: [{ label: 'with descendants', ...stroke(a.alive, series(0), many ? 0.8 : 1.3) }].concat(
          a.dead.x.length ? [{ label: 'without', ...stroke(a.dead, faint(series(6), 0.35), 0.7) }] : []) },
        options: { ...options({ x: linear('observe', { min: 0 }, { precision: 0, maxTicksLimit: 12 }), y: linear('particle', {}, { precision: 0, maxTicksLimit: 6 }) },
          { legend: true, note: 'all of them descend from ' + a.roots + (a.roots === 1 ? ' particle' : ' particles') }), events: [] },
      };
    },
  };
  pageCharts.drawAll(charts);
})();
