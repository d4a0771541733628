import { Tooltip } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { goTo } from '../frame/goTo.ts'
import { Glyph } from '../look/Glyph.tsx'
import { stateOf } from '../look/stateWords.ts'
import css from './runs.module.css'
import { heightsOf, type Run, runWords } from './runs.ts'

interface Props {
  /** Name of the strip for screen readers: "Last 30 backups of shop.example". */
  label: string
  /** Oldest first. */
  runs: readonly Run[]
  /** Maximum of runs; shows the newest. */
  most?: number
}

/** Scrolls to the newest runs on a phone. */
const toEnd = (list: HTMLElement | null) => list?.scrollTo({ left: list.scrollWidth })

/** The last runs of a job as small bars with result and duration. One tab stop; arrows move between runs. */
export function RunStrip({ label, runs, most = 30 }: Props) {
  const shown = runs.slice(-most)
  const heights = heightsOf(shown)
  const [focus, setFocus] = useState(most - 1)
  const [pointed, point] = useState<{ bar: HTMLElement; run: Run }>()
  const at = Math.min(focus, shown.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: shown.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(shown.length - 1, to))
    setFocus(next)
    event.currentTarget.querySelectorAll('a')[next]?.focus()
  }
  const follow = (event: MouseEvent, href: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(href)
  }
  return (
    <>
      <ol
        ref={toEnd}
        className={css.strip}
        aria-label={label}
        onKeyDown={onKeyDown}
        onPointerLeave={() => point(undefined)}
      >
        {shown.map((run, n) => {
          const { colour, shape, quiet } = stateOf(run.state)
          return (
            <li key={run.id}>
              <a
                href={run.href}
                aria-label={runWords(run)}
                tabIndex={n === at ? 0 : -1}
                className={css.run}
                onClick={(event) => follow(event, run.href)}
                onPointerEnter={(event) => point({ bar: event.currentTarget, run })}
                onFocus={(event) => {
                  setFocus(n)
                  point({ bar: event.currentTarget, run })
                }}
                onBlur={() => point(undefined)}
              >
                <span
                  className={css.bar}
                  style={{
                    height: `${heights[n]}%`,
                    background: quiet ? 'var(--ink-bar)' : `var(--mantine-color-${colour}-5)`,
                  }}
                />
                {/* colour alone is not accessible, so unusual results have a mark */}
                <span className={css.mark}>{!quiet && <Glyph shape={shape} colour={colour} size={9} />}</span>
              </a>
            </li>
          )
        })}
      </ol>
      {pointed && <Tooltip key={String(pointed.run.id)} target={pointed.bar} opened label={runWords(pointed.run)} />}
    </>
  )
}
