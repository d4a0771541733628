import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { openBrowser, person } from '../e2e/browser.ts'
import { Innkeeper, repository } from '../e2e/innkeeper.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { ensureDatabase } from './fill/database.ts'
import { median } from './load.ts'
import { atLeast, atMost, type Line, short } from './table.ts'

const PEOPLE = 200
const TURNS = 5
/** A year that is wholly in the future. */
const next = new Date().getUTCFullYear() + 1
const YEAR = { from: `${next}-01-01`, to: `${next}-12-31` }
const base = '/calendar/shifts'

/**
 * Measures the calendar for 200 people of one department: a year planned by an automation, its statistics, and one
 * month in Chromium.
 */
export async function* calendar(server: string): AsyncGenerator<Line> {
  const built = spawnSync(process.execPath, [join(repository, 'bin/build.ts')], { stdio: 'inherit' })
  if (built.status !== 0) throw new Error('The build of the web app failed')
  const database = await ensureDatabase(server, 'bench_calendar')
  await addPeople(database)
  const innkeeper = await Innkeeper.open({ database, args: ['--role=api'] })
  try {
    yield* figures(innkeeper)
    yield* pictures(innkeeper)
  } finally {
    await innkeeper.close()
  }
}

/** Adds the people once; a kept database has them already. */
async function addPeople(database: string): Promise<void> {
  const { db, close } = await openDatabase(database)
  await db.execute(
    sql`insert into departments (name) select 'Bench' where not exists (select from departments where name = 'Bench')`,
  )
  await db.execute(sql`insert into users (username, email, first_name, last_name, password_hash, department_id)
    select 'bench' || n, 'bench' || n || '@example.org', 'Bench', lpad(n::text, 3, '0'), '', d.department_id
    from generate_series(1, ${PEOPLE}::int) as n, departments d
    where d.name = 'Bench' and not exists (select from users where username = 'bench1')`)
  await close()
}

async function* figures(innkeeper: Innkeeper): AsyncGenerator<Line> {
  const departmentId = await departmentOf(innkeeper)
  const type = await innkeeper.must('POST', `${base}/type`, {
    name: `Bench ${Date.now().toString(36)}`,
    startTime: '09:00',
    endTime: '17:30',
    breakMinutes: 30,
  })
  const wanted = {
    ...{ name: 'Bench', departmentId, startDate: YEAR.from, endDate: YEAR.to, status: 'published', stagger: 1 },
    ...{ pattern: [...Array.from({ length: 5 }, () => type.id), null, null], weeksAhead: 1 },
  }
  const left = await innkeeper.must('GET', `${base}/automations`)
  for (const { id } of left.items) await innkeeper.must('DELETE', `${base}/automations`, { id })
  const plans: number[] = []
  const repeats: number[] = []
  let made = 0
  for (let n = 0; n < TURNS; n++) {
    const { id } = await innkeeper.must('POST', `${base}/automations`, wanted)
    const run = () => innkeeper.must('POST', `${base}/automations/id/${id}/run`, YEAR)
    const first = await timed(run)
    made = first.answer.made
    plans.push(first.seconds)
    repeats.push((await timed(run)).seconds)
    // keeps the shifts of the last run for the measurements below
    if (n < TURNS - 1) await innkeeper.must('DELETE', `${base}/automations`, { id })
  }
  const twice = `${made} shifts; once more, which does nothing, ${short(median(repeats))} s; the median of ${TURNS}`
  yield atMost('calendar', `a year of ${PEOPLE} people planned`, median(plans), 3, ' s', twice)
  const asked = `/shift-statistics?departmentId=${departmentId}&from=${YEAR.from}&to=${YEAR.to}`
  const sums: number[] = []
  for (let n = 0; n < 2 * TURNS; n++) sums.push((await timed(() => innkeeper.must('GET', asked))).seconds * 1000)
  const rest = `longest ${short(Math.max(...sums))} ms of ${sums.length}`
  yield atMost('calendar', `statistics of that year, ${PEOPLE} people`, median(sums), 300, ' ms', rest)
}

async function departmentOf(innkeeper: Innkeeper): Promise<number> {
  const { items } = await innkeeper.must('GET', '/auth/departments?search=Bench')
  return items[0].id
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; seconds: number }> {
  const began = performance.now()
  const answer = await work()
  return { answer, seconds: (performance.now() - began) / 1000 }
}

/** Measures the time from the last byte of the roster to the painted month, and its scrolling. */
async function* pictures(innkeeper: Innkeeper): AsyncGenerator<Line> {
  const browser = await openBrowser('127.0.0.1')
  try {
    const context = await person(browser, innkeeper, { token: innkeeper.token })
    const page = await context.newPage()
    await page.addInitScript(watchGrid)
    const drawn: number[] = []
    for (let n = 0; n < TURNS; n++) {
      await page.goto(`/calendar/shifts?day=${next}-03-15`)
      drawn.push(await afterData(page))
    }
    const visits = `longest ${short(Math.max(...drawn))} ms of ${TURNS} visits, nothing kept from one to the next`
    yield atMost('calendar', `a month of ${PEOPLE} people drawn, after data`, median(drawn), 300, ' ms', visits)
    const app = await scrolls(page)
    await stiffen(page)
    const floor = await scrolls(page)
    yield atLeast('calendar', 'frames a second while it scrolls', Math.round(app.rate), 60, lateOf(app))
    const plain = `plain HTML of the same rows, all drawn before: ${floor.rate.toFixed(1)} a second, ${lateOf(floor)}`
    yield atLeast('calendar', 'frames while it scrolls, of the floor’s', app.rate / floor.rate, 0.98, plain)
  } finally {
    await browser.close()
  }
}

/** Records when the first shift is painted. */
function watchGrid(): void {
  const watch = new MutationObserver(() => {
    if (!document.querySelector('[role=grid] [data-item]')) return
    watch.disconnect()
    // a task after the frame runs after painting
    requestAnimationFrame(() => setTimeout(() => performance.mark('grid')))
  })
  watch.observe(document, { childList: true, subtree: true })
}

async function afterData(page: Page): Promise<number> {
  await page.waitForFunction(() => performance.getEntriesByName('grid').length > 0)
  return page.evaluate(() => {
    // entries of this type are resource timings
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const roster = entries.find(({ name }) => name.includes('/calendar/shifts/roster'))
    return performance.getEntriesByName('grid')[0]!.startTime - roster!.responseEnd // both entries exist, see above
  })
}

interface Scroll {
  frames: number
  late: number
  longest: number
  rate: number
}

/** Scrolls several times and answers the run with the median rate. */
async function scrolls(page: Page): Promise<Scroll> {
  const all: Scroll[] = []
  for (let n = 0; n < TURNS; n++) all.push(await scrolled(page))
  return all.toSorted((a, b) => a.rate - b.rate)[Math.floor(TURNS / 2)]!
}

const lateOf = ({ frames, late, longest }: Scroll) =>
  `${late} of ${frames} came late, the longest took ${short(longest)} ms; the median of ${TURNS}`

/** Turns the page into the floor: a static copy with all rows and without scripts, which this machine scrolls fastest. */
async function stiffen(page: Page): Promise<void> {
  const missing = await page.evaluate(async () => {
    const grid = document.querySelector('[role=grid]')!
    const scroller = grid.parentElement!
    const rows = new Map<string, string>()
    for (let top = 0; top < scroller.scrollHeight; top += scroller.clientHeight / 2) {
      scroller.scrollTop = top
      await new Promise(requestAnimationFrame)
      for (const row of grid.querySelectorAll('[role=rowgroup]:last-child > [aria-rowindex]'))
        rows.set(row.getAttribute('aria-rowindex')!, row.outerHTML)
    }
    const copy = document.body.cloneNode(true) as HTMLElement // the clone of a body is an HTMLElement
    copy.querySelector('[role=grid] > [role=rowgroup]:last-child')!.innerHTML = [...rows.values()].join('')
    document.body.replaceWith(copy)
    return Number(grid.getAttribute('aria-rowcount')) - 1 - rows.size
  })
  if (missing) throw new Error(`The floor lacks ${missing} rows`)
}

/** Scrolls from the first person to the last and back, 30 pixels per frame, without a pause. */
function scrolled(page: Page): Promise<Scroll> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('[role=grid]')!.parentElement!
    const end = scroller.scrollHeight - scroller.clientHeight
    const frame = () => new Promise<number>((seen) => requestAnimationFrame(seen))
    const gaps: number[] = []
    let by = 30
    const began = await frame()
    let last = began
    while (by > 0 || scroller.scrollTop > 0) {
      scroller.scrollTop += by
      if (scroller.scrollTop >= end) by = -30
      const now = await frame()
      gaps.push(now - last)
      last = now
    }
    const late = gaps.filter((gap) => gap > 20).length
    return { frames: gaps.length, late, longest: Math.max(...gaps), rate: (gaps.length * 1000) / (last - began) }
  })
}
