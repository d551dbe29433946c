// The view of a recording: its parts and their connections.
import { createStage } from '../stage/stage.js';
import { ChartPanel } from './charts.js';
import { Comparison } from './comparison.js';
import { fill, make, seldom } from './dom.js';
import { EventList } from './event_list.js';
import { showEvents } from './event_parts.js';
import { FactsPanel } from './facts.js';
import { createGames } from './games.js';
import { Header } from './header.js';
import { HeatPanel } from './heat.js';
import { HighlightPanel } from './highlights.js';
import { playerNames } from './kinds.js';
import { Notes } from './notes.js';
import { Notices } from './notices.js';
import { createPanels } from './panels.js';
import { Player } from './player.js';
import { QueryPanel } from './query.js';
import { showStarcraft } from './starcraft.js';
import { RangeBar } from './range.js';
import { StoryBar } from './story_bar.js';
import { momentText } from './text.js';
import { TickDrawer } from './tick_drawer.js';
import { Timeline } from './timeline.js';
import { createTransport, toggleFullscreen } from './transport.js';
import { ValueTable } from './values.js';
import { SidePanel } from './side_panel.js';
import { StageView } from './stage_view.js';
import { Watch } from './watch.js';

export class Viewer {
  #recording;
  #player;
  #view; // of this recording
  #comparison = null;
  #stages = make('div', { class: 'stages' });
  #notices = new Notices();
  #header;
  #drawer;
  #parts = {};
  #transport = null;
  #spoilerFree = false;
  #lengthHidden = false;
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
      fill(this.element, new Header(recording, { onopen }).element, createGames(recording));
      this.element.classList.add('plain-table');
      return;
    }
    this.#build(onopen, oncompare);
    this.#begin(moment);
  }

  #story = null;

  #build(onopen, oncompare) {
    const recording = this.#recording;
    const player = this.#player;
    const nameOf = playerNames(recording.info);
    const starcraft = recording.stage === 'starcraft';
    this.#drawer = new TickDrawer(recording, player, {
      show: (...tick) => this.#showTick(...tick),
      onerror: (text) => this.#parts.said !== text && this.note((this.#parts.said = text), true),
    });
    // Before all others: the reader decodes the tick while they follow.
    player.onchange(() => this.#drawer.draw());
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
      camera: () => this.#view.moment().view,
      setCamera: (name) => this.#view.wish({ view: name, follow: null }),
    });
    notes.onchange = () => timeline.show({ notes: notes.list.map(({ tick }) => tick) });
    this.#parts = { timeline, events, highlights, values, facts, heat, charts, query, notes, nameOf, curves };
    const tabs = (this.#parts.tabs = createPanels(this.#parts, starcraft, () => {
      player.refresh();
      this.#say();
    }));
    const range = new RangeBar(recording, player, { view: () => this.#view, link: () => this.#link() });
    range.onchange = () => this.#say();
    timeline.onselect = (part) => range.set(part);
    this.#parts.range = range;
    highlights.onvideo = (parts) => range.video(parts, `${recording.name.replace(/\.[^.]*$/, '')}-highlights`);
    values.visible = () => tabs.shown() === 'values';
    this.#transport = this.#createTransport(events, notes, range);
    this.#transport.element.prepend(range.element);
    this.#header = new Header(
      recording,
      { onopen, oncompare },
      {
        onspoilers: () => this.setSpoilerFree(!this.#spoilerFree),
        onlength: () => this.setSpoilerFree(true, !this.#lengthHidden),
        panelButton: this.#panel.button,
        link: () => this.#link(),
        story: this.#story.element,
      },
    );
    fill(
      this.element,
      this.#header.element,
      this.#notices.element,
      make('main', {}, this.#stages, this.#panel.splitter, tabs.element),
      make('section', { class: 'around', 'aria-label': 'Time' }, timeline.element, this.#transport.element),
      this.#transport.help,
    );
    const makeView = (one) => this.#makeView(one);
    const view = (this.#view = makeView(recording));
    const redraw = () => this.#drawer.draw();
    this.#comparison = new Comparison(recording, player, { stages: this.#stages, view, makeView, timeline, redraw });
    const watch = new Watch(recording, player, {
      onfollow: (name) => this.#view.follow(this.#view.moment().follow === name ? null : name),
      onhighlight: (name) => this.#view.highlight(name),
    });
    this.#parts.watch = watch;
    this.#view.overlay(notes.layer);
    notes.layer.after(notes.field);
    this.#view.overlay(watch.element);
    player.onchange(seldom(500, () => this.#spoilerFree && tabs.shown() === 'facts' && facts.refresh()));
    this.#drawForces = seldom(250, () => this.#closed || watch.drawForces(this.#view.forces(), this.#spoilerFree));
    recording.on('grown', () => this.#grown());
    // The address contains the moment, but is not updated sixty times a second.
    player.onchange(() => player.playing || this.#say());
  }

  #createTransport(events, notes, range) {
    return createTransport(this.#recording, this.#player, {
      actions: {
        fullscreen: () => toggleFullscreen(this.element),
        camera: () => this.#view?.nextCamera(),
        spoilerFree: () => this.setSpoilerFree(!this.#spoilerFree),
        event: (direction) => events.next(direction),
        panel: () => this.#panel.toggle(),
        leave: () => notes.putDown(),
        range: (part) => (part ? range.set(part) : range.toggle()),
      },
    });
  }

  #makeView(recording) {
    const view = new StageView(recording, createStage, {
      onproblem: (text) => this.note(text, true),
      settled: async () => {
        await this.#drawer.drawn;
        await this.#drawer.draw();
      },
      onchange: () => {
        if (this.#player.playing) return;
        this.#say();
        this.#drawer.draw();
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
    this.#view.wish(moment);
    this.#panel.begin(moment.panel);
    if (moment.tab) this.#parts.tabs.show(moment.tab);
    this.#player.seekTick(moment.tick ?? recording.firstTick);
    // The first picture is drawn before all scans of the whole recording.
    await this.#drawer.drawn;
    await this.#idle();
    try {
      await recording.known();
      this.#header.update();
      this.#parts.nameOf = playerNames(recording.info);
      events.nameOf = this.#parts.nameOf;
      const overview = (this.#parts.overview = await recording.overview());
      const { teams = [] } = (await recording.state(recording.firstTick))?.session ?? {};
      this.#parts.firstNames = new Set(teams.flatMap(({ players }) => players ?? []).map((player) => player?.name));
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
      showEvents(await recording.events, this.#parts, this.#player);
      if (this.#parts.curves) {
        showStarcraft(recording, this.#player, await recording.events, this.#parts);
        this.setSpoilerFree(this.#spoilerFree);
      }
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
        : await this.#view.firstSeen().catch(() => null);
    if (tick > firstTick && this.#player.tick === firstTick && !this.#player.playing) this.#player.seekTick(tick);
  }

  #idle() {
    return new Promise((done) => setTimeout(done, 0));
  }

  // A sentence above the picture.
  note(text, bad = false) {
    return this.#notices.add(text, bad);
  }

  // A reel that is still being written is not complete.
  #warn() {
    const { live, info } = this.#recording;
    this.#notices.warn(live ? 'whole' : info.health, this.#parts.facts.losses);
  }

  async #showTick(tick, timeMs, state, before) {
    const { watch } = this.#parts;
    const next = this.#view.moves ? await this.#drawer.following(tick, timeMs) : null;
    this.#view.draw(state, tick, timeMs, before, next);
    watch.draw(state, this.#view.moment().follow);
    if (this.#recording.stage === 'starcraft') this.#drawForces();
    await this.#showValues(tick, state);
    await this.#comparison.draw(tick, timeMs);
    this.element.dataset.tick = String(tick);
  }
  #drawForces = () => {};

  async #showValues(tick, state) {
    const { values } = this.#parts;
    const earlier = values.visible() ? this.#recording.stepFrom(tick, -1) : -1;
    values.show(
      state,
      earlier >= this.#recording.firstTick && earlier < tick ? await this.#recording.state(earlier) : null,
    );
  }

  together(recordings) {
    this.#comparison.together(recordings);
  }

  compare(recording) {
    return this.#comparison.open(recording);
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
    this.#player.hideLength = on && hideLength;
    this.#header.showSpoilerFree(on, this.#player.hideLength);
    for (const { theme } of [...(graph?.charts ?? []), ...charts.all]) theme();
    timeline.show({ view: null });
    this.#player.refresh();
    for (const part of [events, highlights, notes, facts, heat, ...late]) part.refresh();
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
      showEvents(await this.#recording.events, this.#parts, this.#player);
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
      ...this.#view.moment(),
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
    this.#view?.wish(moment);
  }

  loadNotes(file) {
    return this.#parts.notes?.load(file);
  }

  async loadMap(file, known) {
    await this.#drawer.drawn;
    if (!this.#view?.loadMap(file, known)) this.note('This recording has no ground to put a picture on.', true);
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
    this.#drawer?.close();
    this.#view?.dispose();
    this.#comparison?.dispose();
    this.#recording.close();
    this.element.remove();
  }
}
