// The view of a recording: its parts and their connections.
import { createStage, kindOf } from '../stage/stage.js';
import { ChartPanel } from './charts.js';
import { copyText, cutText, fill, make, seldom } from './dom.js';
import { EventList } from './event_list.js';
import { FactsPanel } from './facts.js';
import { findFights } from './fights.js';
import { createGames } from './games.js';
import { HeatPanel } from './heat.js';
import { HighlightPanel } from './highlights.js';
import { Kinds, playerNames } from './kinds.js';
import { Notes } from './notes.js';
import { Player } from './player.js';
import { QueryPanel } from './query.js';
import { maxEvents } from './recording.js';
import { createBuildOrder, createChat, createCurves } from './starcraft.js';
import { createTabs } from './tabs.js';
import { RangeBar } from './range.js';
import { SecondBar } from './second.js';
import { StoryBar } from './story_bar.js';
import { mapTitle, matchTitle, momentText, shownText } from './text.js';
import { Timeline } from './timeline.js';
import { createTransport } from './transport.js';
import { ValueTable } from './values.js';
import { SidePanel } from './side_panel.js';
import { StageView } from './stage_view.js';
import { Watch } from './watch.js';

// Merges two lists by tick.
function merged(first, second) {
  const out = [];
  let at = 0;
  for (const each of second) {
    while (at < first.length && first[at].tick <= each.tick) out.push(first[at++]);
    out.push(each);
  }
  while (at < first.length) out.push(first[at++]);
  return out;
}

export class Viewer {
  #recording;
  #player;
  #second = null;
  #views = [];
  #stages = make('div', { class: 'stages' });
  #notes = make('div', { class: 'notes', role: 'status' });
  #parts = {};
  #wanted = -1;
  #drawing = false;
  #transport = null;
  #spoilerFree = false;
  #closed = false;
  #panel;

  constructor(recording, moment, { onopen, oncompare }) {
    this.#recording = recording;
    this.#player = new Player(recording);
    this.element = make('div', { class: 'viewer' });
    this.#panel = new SidePanel(this.element, () => {
      if (this.#parts.tabs) this.#player.refresh();
      this.#say();
    });
    if (recording.stage === 'table') {
      fill(this.element, this.#header(onopen, null), createGames(recording));
      this.element.classList.add('plain-table');
      return;
    }
    this.#build(onopen, oncompare);
    this.#begin(moment);
  }

  #header(onopen, oncompare) {
    this.#sayFacts();
    this.#spoilerButton = make(
      'button',
      {
        type: 'button',
        'aria-pressed': 'false',
        title: 'Hide what comes later (S)',
        onclick: () => this.setSpoilerFree(!this.#spoilerFree),
      },
      'Spoiler-free',
    );
    const link = make(
      'button',
      { type: 'button', title: 'Copy a link to this moment', onclick: () => copyText(this.#link(), link) },
      'Copy link',
    );
    return make(
      'header',
      {},
      make('div', { class: 'title' }, this.#name(shownText(this.#recording.name, 300)), this.#facts),
      make(
        'div',
        { class: 'actions' },
        oncompare
          ? [
              this.#spoilerButton,
              this.#lengthButton,
              this.#panel.button,
              link,
              make(
                'button',
                { type: 'button', title: 'Open another recording beside this one', onclick: oncompare },
                'Compare\u2026',
              ),
            ]
          : null,
        make('button', { type: 'button', onclick: onopen, title: 'Open another recording' }, 'Open\u2026'),
      ),
      this.#story?.element,
    );
  }
  // A button shows the whole of a long one.
  #name(text) {
    const whole = make('h1', { title: text }, text);
    if (text.length <= 40) return whole;
    const onclick = () => button.setAttribute('aria-expanded', String(whole.classList.toggle('whole')));
    const button = cutText(text, 'button', { type: 'button', class: 'bare', 'aria-expanded': 'false', onclick });
    return fill(whole, button);
  }
  #spoilerButton;
  #lengthHidden = false;
  #lengthButton = make(
    'button',
    {
      type: 'button',
      hidden: true,
      'aria-pressed': 'false',
      title: 'Hide how long the recording is',
      onclick: () => this.setSpoilerFree(true, !this.#lengthHidden),
    },
    'Hide length',
  );
  #facts = make('p');
  #story = null;

  #sayFacts() {
    const { info } = this.#recording;
    this.#facts.textContent = [this.#recording.title, mapTitle(info.map_name ?? info.map), matchTitle(info.match_type)]
      .filter(Boolean)
      .map((text) => shownText(text, 60))
      .join(' \u00b7 ');
  }

  #build(onopen, oncompare) {
    const recording = this.#recording;
    const player = this.#player;
    const nameOf = playerNames(recording.info);
    const starcraft = recording.stage === 'starcraft';
    // Before all others: the reader decodes the tick while they follow.
    player.onchange(() => this.#draw());
    const timeline = new Timeline(recording, player);
    const events = new EventList(recording, player, nameOf, () => timeline.redraw());
    const values = new ValueTable();
    this.#story = new StoryBar(recording, player);
    const facts = new FactsPanel(recording, () => this.#story.text);
    const heat = new HeatPanel(recording, player);
    const highlights = new HighlightPanel(recording, player);
    const curves = starcraft ? make('div') : null;
    const charts = new ChartPanel(recording, player, curves);
    const query = new QueryPanel(recording, player);
    const notes = new Notes(recording, player, {
      camera: () => this.#views[0].moment().view,
      setCamera: (name) => this.#views[0].wish({ view: name, follow: null }),
    });
    notes.onchange = () => timeline.show({ notes: notes.list.map(({ tick }) => tick) });
    this.#parts = { timeline, events, highlights, values, facts, heat, charts, query, notes, nameOf, curves };
    const tabs = this.#makeTabs();
    this.#parts.tabs = tabs;
    const range = new RangeBar(recording, player, { view: () => this.#views[0], link: () => this.#link() });
    range.onchange = () => this.#say();
    timeline.onselect = (part) => range.set(part);
    this.#parts.range = range;
    highlights.onvideo = (parts) => range.video(parts, `${recording.name.replace(/\.[^.]*$/, '')}-highlights`);
    values.visible = () => tabs.shown() === 'values';
    this.#transport = createTransport(recording, player, {
      actions: {
        fullscreen: () =>
          (document.fullscreenElement ? document.exitFullscreen() : this.element.requestFullscreen?.())?.catch?.(
            () => {},
          ),
        camera: () => this.#views[0]?.nextCamera(),
        spoilerFree: () => this.setSpoilerFree(!this.#spoilerFree),
        event: (direction) => events.next(direction),
        panel: () => this.#panel.toggle(),
        leave: () => notes.putDown(),
        range: (part) => (part ? range.set(part) : range.toggle()),
      },
    });
    this.#transport.element.prepend(range.element);
    fill(
      this.element,
      this.#header(onopen, oncompare),
      this.#notes,
      make('main', {}, this.#stages, this.#panel.splitter, tabs.element),
      make('section', { class: 'around', 'aria-label': 'Time' }, timeline.element, this.#transport.element),
      this.#transport.help,
    );
    this.#views = [this.#view(recording)];
    const watch = new Watch(recording, player, {
      onfollow: (name) => this.#views[0].follow(this.#views[0].moment().follow === name ? null : name),
      onhighlight: (name) => this.#views[0].highlight(name),
    });
    this.#parts.watch = watch;
    this.#views[0].overlay(notes.layer);
    notes.layer.after(notes.field);
    this.#views[0].overlay(watch.element);
    player.onchange(seldom(500, () => this.#spoilerFree && tabs.shown() === 'facts' && facts.refresh()));
    this.#drawForces = seldom(250, () => this.#closed || watch.drawForces(this.#views[0].forces(), this.#spoilerFree));
    recording.on('grown', () => this.#grown());
    // The address contains the moment, but is not updated sixty times a second.
    player.onchange(() => player.playing || this.#say());
  }

  #makeTabs() {
    const { events, highlights, values, charts, heat, query, notes, facts } = this.#parts;
    return createTabs(
      [
        { id: 'events', title: 'Events', element: events.element, onshow: () => events.refresh() },
        { id: 'highlights', title: 'Highlights', element: highlights.element, onshow: () => highlights.refresh() },
        ...(this.#recording.stage === 'starcraft'
          ? [
              { id: 'build', title: 'Build order', element: make('div', { class: 'late' }) },
              { id: 'chat', title: 'Chat', element: make('div', { class: 'late' }) },
            ]
          : []),
        { id: 'values', title: 'Values', element: values.element },
        {
          id: 'charts',
          title: 'Charts',
          element: charts.element,
          onshow: () => {
            this.#parts.startCurves?.();
            charts.begin();
          },
        },
        { id: 'heat', title: 'Heat map', element: heat.element, onshow: () => heat.begin() },
        { id: 'query', title: 'Query', element: query.element, onshow: () => query.begin() },
        { id: 'notes', title: 'Notes', element: notes.element, onshow: () => notes.refresh() },
        { id: 'facts', title: 'About', element: facts.element, onshow: () => facts.refresh() },
      ],
      () => {
        this.#player.refresh();
        this.#say();
      },
    );
  }

  #view(recording) {
    const view = new StageView(recording, createStage, {
      onproblem: (text) => this.note(text, true),
      settled: async () => {
        await this.#drawn;
        await this.#draw();
      },
      onchange: () => {
        if (this.#player.playing) return;
        this.#say();
        this.#draw();
      },
    });
    this.#stages.append(view.element);
    return view;
  }

  async #begin(moment) {
    const recording = this.#recording;
    const { timeline, events, facts } = this.#parts;
    if (moment.spoilerFree) this.setSpoilerFree(true, moment.hideLength);
    if (moment.speed) this.#player.setSpeed(moment.speed);
    this.#views[0].wish(moment);
    this.#panel.begin(moment.panel);
    if (moment.tab) this.#parts.tabs.show(moment.tab);
    this.#player.seekTick(moment.tick ?? recording.firstTick);
    // The first picture is drawn before all scans of the whole recording.
    await this.#drawn;
    await this.#idle();
    try {
      await recording.known();
      this.#sayFacts();
      this.#parts.nameOf = playerNames(recording.info);
      events.nameOf = this.#parts.nameOf;
      const overview = (this.#parts.overview = await recording.overview());
      for (const { players } of (await recording.state(recording.firstTick))?.session?.teams ?? [])
        for (const player of players ?? []) this.#firstNames.add(player?.name);
      if (moment.tick !== null && this.#player.tick !== moment.tick && !this.#player.playing)
        this.#player.seekTick(moment.tick);
      else this.#player.refresh();
      timeline.show({ overview });
      facts.show(overview);
      if (moment.range) this.#parts.range.setTicks(moment.range);
    } catch (error) {
      this.note(error.message, true);
    }
    this.#warn();
    try {
      await this.#take(await recording.events);
      if (this.#parts.curves) this.#starcraft(await recording.events);
      if (moment.tick === null && !recording.live) await this.#goToOpening(await recording.events);
      await this.#describe();
    } catch (error) {
      events.fail(error.message);
    }
    if (recording.live && moment.tick === null) this.#player.goLive();
    this.element.dataset.ready = 'true';
    // The same verdict as the program's, without a request of the user.
    try {
      await recording.judged();
      await this.#describe();
      this.#warn();
    } catch (error) {
      if (!this.#closed) this.note(error.message, true);
    }
    this.element.dataset.judged = 'true';
  }

  // Nothing is described where events or ticks cannot be read: other parts report that.
  async #describe() {
    const events = await this.#recording.events.catch(() => null);
    if (events) await this.#story.describe(events, this.#parts).catch(() => {});
    this.#parts.facts.refresh();
  }

  // The first moment at which something is seen, if the user has not moved: of StarCraft II that of the first numbers.
  async #goToOpening(list) {
    const { firstTick, stage } = this.#recording;
    const tick =
      stage === 'starcraft'
        ? list.find(({ type }) => type === 'player_stat_snapshot')?.tick
        : await this.#views[0].firstSeen().catch(() => null);
    if (tick > firstTick && this.#player.tick === firstTick && !this.#player.playing) this.#player.seekTick(tick);
  }

  // Events, with the gaps between ticks as events.
  async #take(list) {
    const { timeline, events, facts } = this.#parts;
    const gaps = this.#parts.overview?.gaps ?? [];
    const all = gaps.length === 0 ? list : merged(list, gaps);
    const before = this.#parts.kinds?.byType;
    const kinds = new Kinds(all);
    for (const kind of kinds.list) kind.shown = before?.get(kind.type)?.shown ?? kind.shown;
    this.#parts.kinds = kinds;
    const fights = (this.#parts.fights = findFights(list));
    this.#parts.watch.show(all, this.#parts.nameOf, fights);
    this.#parts.highlights.show(list, this.#parts.nameOf);
    timeline.show({ kinds, nameOf: this.#parts.nameOf, fights });
    events.show(all, kinds, list.length < maxEvents);
    const came = new Map();
    for (const { type, tick, player } of list)
      if (type === 'player_joined' && player?.name && !came.has(player.name)) came.set(player.name, tick);
    facts.met = (name) => !came.has(name) || came.get(name) <= this.#player.tick || this.#firstNames.has(name);
  }
  #firstNames = new Set();

  #starcraft(list) {
    const { tabs, curves } = this.#parts;
    const build = createBuildOrder(this.#recording, this.#player, list);
    const chat = createChat(this.#recording, this.#player, list);
    const graph = createCurves(this.#recording, this.#player, list);
    fill(tabs.element.querySelector('[data-tab=build]'), build);
    fill(tabs.element.querySelector('[data-tab=chat]'), chat);
    fill(curves, graph);
    this.#parts.late = [build, chat];
    this.#parts.graph = graph;
    if (list.some(({ type }) => type === 'player_stat_snapshot'))
      this.#recording
        .curves()
        .then((curves) => (this.#parts.watch.curves = curves))
        .then(() => this.#player.refresh())
        .catch(() => {});
    this.#parts.startCurves = () => graph.start?.();
    this.setSpoilerFree(this.#spoilerFree);
  }

  #idle() {
    return new Promise((done) => setTimeout(done, 0));
  }

  // A sentence above the picture.
  note(text, bad = false) {
    this.#notes.append(
      make(
        'p',
        { class: bad ? 'bad' : null },
        shownText(text, 400),
        make(
          'button',
          {
            type: 'button',
            class: 'small',
            'aria-label': 'Close',
            onclick: (event) => event.currentTarget.parentElement.remove(),
          },
          '\u00d7',
        ),
      ),
    );
    while (this.#notes.children.length > 4) this.#notes.firstChild.remove();
    return this.#notes.lastChild;
  }

  // One sentence about defects, the same as under "About", updated when more is known.
  #warn() {
    const { losses } = this.#parts.facts;
    // A reel that is still being written is not complete.
    const health = this.#recording.live ? 'whole' : this.#recording.info.health;
    const bad = health === 'damaged' || health === 'incomplete';
    const text = bad
      ? `This recording is ${health}${losses.length ? `: ${losses[0]}` : ''}. More under "About".`
      : losses.length
        ? `${losses[0]}${losses.length > 1 ? ` (and ${losses.length - 1} more under "About")` : ''}`
        : null;
    if (text === this.#parts.warned) return;
    this.#parts.warning?.remove();
    this.#parts.warned = text;
    this.#parts.warning = text === null ? null : this.note(text, bad);
  }

  // The tick at the cursor; answers to earlier requests are dropped.
  #draw() {
    this.#wanted = this.#player.tick;
    if (!this.#drawing) this.#drawn = this.#drawWanted();
    return this.#drawn;
  }
  #drawn = null;
  #drawForces = () => {};

  async #drawWanted() {
    this.#drawing = true;
    while (!this.#closed) {
      const tick = this.#wanted;
      const { timeMs } = this.#player;
      try {
        const begun = performance.now();
        const state = await this.#recording.state(tick);
        if (this.#closed) break;
        const before = this.#parts.last && this.#parts.last.tick < tick ? this.#parts.last.state : null;
        this.#views[0].draw(state, tick, timeMs, before, await this.#following(tick, timeMs));
        this.#parts.last = { tick, state };
        this.#parts.watch.draw(state, this.#views[0].moment().follow);
        if (this.#recording.stage === 'starcraft') this.#drawForces();
        await this.#showValues(tick, state);
        if (this.#second && this.#views[1]) await this.#drawSecond(tick, timeMs);
        this.element.dataset.tick = String(tick);
        this.element.dataset.took = (performance.now() - begun).toFixed(1);
      } catch (error) {
        if (!this.#closed && this.#parts.said !== error.message) this.note((this.#parts.said = error.message), true);
      }
      if (this.#wanted === tick) break;
    }
    this.#drawing = false;
  }

  // The next tick, and the fraction of the way to it, during playback: with interpolation ten ticks a second
  // look as smooth as sixty.
  async #following(tick, timeMs) {
    if (!this.#player.playing || !this.#views[0].moves || tick >= this.#recording.lastTick) return null;
    const next = this.#recording.stepFrom(tick, 1);
    const [from, to] = [this.#recording.timeOf(tick), this.#recording.timeOf(next)];
    // Nothing is interpolated where ticks are missing.
    if (!(to > from) || to - from > 400) return null;
    const state = await this.#recording.state(next);
    return state ? { state, tick: next, share: Math.min(1, Math.max(0, (timeMs - from) / (to - from))) } : null;
  }

  async #showValues(tick, state) {
    const { values } = this.#parts;
    if (!values.visible()) {
      values.show(state, null);
      return;
    }
    const earlier = this.#recording.stepFrom(tick, -1);
    values.show(
      state,
      earlier >= this.#recording.firstTick && earlier < tick ? await this.#recording.state(earlier) : null,
    );
  }

  async #drawSecond(tick, timeMs) {
    const { recording, bar } = this.#second;
    const since = timeMs - this.#recording.firstTimeMs;
    const other = bar.byTime
      ? recording.tickAt(recording.firstTimeMs + since)
      : Math.min(recording.lastTick, Math.max(recording.firstTick, tick));
    const state = await recording.state(other);
    if (this.#stages.classList.contains('over')) this.#views[0].ghost(state);
    else this.#views[1]?.draw(state, other, recording.timeOf(other), null);
  }

  #showGhosts(on) {
    this.#stages.classList.toggle('over', on);
    if (!on) this.#views[0].ghost(null);
    this.#draw();
  }

  // Adds paths to the picture of this one.
  async together(recordings) {
    this.#others = recordings;
    this.#views[0].show([this.#recording, ...recordings]);
  }
  #others = [];

  // Opens another recording beside this one. Paths share one world, and are drawn into one picture.
  async compare(recording) {
    this.#closeSecond();
    const kind = kindOf(recording, await recording.state(recording.firstTick));
    const bar = new SecondBar(this.#recording, recording, {
      mayOverlay: kind === 'arena' && this.#views[0].kind === kind,
      onsync: () => this.#draw(),
      onghosts: (on) => this.#showGhosts(on),
      onclose: () => this.#closeSecond(),
    });
    bar.onseek = (tick) => this.#player.seekTick(tick);
    bar.ondifference = (tick) => {
      this.#parts.timeline.difference = tick;
      this.#parts.timeline.redraw();
    };
    this.element.querySelector('main').before(bar.element);
    this.#second = { recording, bar };
    if (this.#recording.stage === 'path' && recording.stage === 'path')
      this.#views[0].show([this.#recording, recording]);
    else {
      this.#stages.classList.add('two');
      this.#views.push(this.#view(recording));
    }
    recording
      .overview()
      .catch(() => {})
      .then(() => this.#draw());
    this.#draw();
    await bar.look();
  }

  #closeSecond() {
    if (!this.#second) return;
    const { recording, bar } = this.#second;
    this.#second = null;
    bar.remove();
    recording.close();
    if (this.#views.length > 1) this.#views.pop().dispose();
    else this.#views[0].show([this.#recording]);
    this.#views[0].ghost(null);
    this.#stages.classList.remove('over', 'two');
    this.#parts.timeline.difference = null;
    this.#parts.timeline.redraw();
  }

  // Spoiler-free mode; `hideLength`: also hides the length.
  setSpoilerFree(on, hideLength = this.#lengthHidden) {
    this.#spoilerFree = on;
    this.#lengthHidden = hideLength;
    if (!this.#parts.timeline) return;
    const { timeline, events, highlights, facts, heat, charts, query, notes, late = [], graph } = this.#parts;
    for (const part of [timeline, events, highlights, facts, heat, charts, query, notes, this.#story, ...late])
      part.spoilerFree = on;
    if (graph) {
      graph.spoilerFree = on;
      for (const chart of graph.charts ?? []) chart.spoilerFree = on;
    }
    this.#spoilerButton.setAttribute('aria-pressed', String(on));
    this.#lengthButton.hidden = !on;
    this.#player.hideLength = on && this.#lengthHidden;
    this.#lengthButton.setAttribute('aria-pressed', String(this.#player.hideLength));
    for (const { theme } of [...(graph?.charts ?? []), ...charts.all]) theme();
    timeline.show({ view: null });
    this.#player.refresh();
    events.refresh();
    highlights.refresh();
    notes.refresh();
    facts.refresh();
    heat.refresh();
    for (const part of late) part.refresh();
    this.#say();
  }

  async #grown() {
    const { timeline, charts, facts } = this.#parts;
    if (this.#parts.growing) return;
    this.#parts.growing = true;
    const begun = performance.now();
    try {
      timeline.redraw();
      const overview = (this.#parts.overview = await this.#recording.overview());
      timeline.show({ overview });
      await this.#take(await this.#recording.events);
      facts.show(overview);
      this.#warn();
      if (this.#parts.tabs.shown() === 'charts') await charts.grown();
    } catch (error) {
      this.note(error.message, true);
    }
    // Scans take longer for longer recordings: most of the time is left for the picture.
    setTimeout(() => (this.#parts.growing = false), Math.max(900, (performance.now() - begun) * 5));
  }

  // No more data arrives; the loaded part stays.
  ended(sentence) {
    this.#recording.live = false;
    this.#recording.liveState?.end();
    this.#transport?.element.querySelector('.live').remove();
    this.note(sentence);
    this.#describe();
  }

  #moment() {
    const { range, tabs } = this.#parts;
    return {
      tick: this.#player.tick,
      speed: this.#player.speed,
      ...this.#views[0].moment(),
      spoilerFree: this.#spoilerFree,
      hideLength: this.#player.hideLength,
      range: range.ticks,
      panel: this.#panel.state,
      tab: tabs.shown() === 'events' ? null : tabs.shown(),
    };
  }

  #link() {
    return location.href.replace(/#.*$/, '') + momentText(this.#moment());
  }

  #said = 0;
  #say() {
    clearTimeout(this.#said);
    // Browsers limit how often the address may change.
    this.#said = setTimeout(() => !this.#closed && history.replaceState(null, '', momentText(this.#moment())), 300);
  }

  go(moment) {
    if (moment.tick !== null) this.#player.seekTick(moment.tick);
    if (moment.speed) this.#player.setSpeed(moment.speed);
    if (moment.spoilerFree !== this.#spoilerFree || moment.hideLength !== this.#player.hideLength)
      this.setSpoilerFree(moment.spoilerFree, moment.hideLength);
    if (moment.range) this.#parts.range.setTicks(moment.range);
    if (moment.tab) this.#parts.tabs.show(moment.tab);
    this.#views[0]?.wish(moment);
  }

  loadNotes(file) {
    return this.#parts.notes?.load(file);
  }

  loadMap(file) {
    if (!this.#views[0]?.loadMap(file)) this.note('This recording has no ground to put a picture on.', true);
  }

  get player() {
    return this.#player;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#said);
    this.#transport?.dispose();
    this.#parts.timeline?.dispose();
    this.#parts.query?.close();
    this.#player.dispose();
    for (const view of this.#views) view.dispose();
    this.#recording.close();
    this.#second?.bar.remove();
    this.#second?.recording.close();
    for (const other of this.#others) other.close();
    this.element.remove();
  }
}
