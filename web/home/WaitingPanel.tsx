import { missing } from '@innkeeper/contract/kit/access'
import { Box, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../kit/access/session.ts'
import { ownStore } from '../kit/frame/browserStore.ts'
import { Section } from '../kit/frame/Section.tsx'
import type { HomeWait, Waiting } from '../kit/home/wait.ts'
import { count as written } from '../kit/look/format.ts'
import { languageNow } from '../kit/look/locale.ts'
import { stated } from '../stated.ts'
import { germanWaits, homeTexts } from './texts.ts'
import css from './WaitingPanel.module.css'

/** Every kind of work that may wait, in its order. */
const allWaits = () =>
  stated()
    .flatMap((domain) => domain.waits ?? [])
    .sort((one, other) => one.at - other.at)

/**
 * What waits for this person: a count of each kind, which leads to it. Kinds of which nothing waited at the last visit, or now
 * at the first one, stand in one line below the others; within a visit each keeps its place, so nothing moves.
 */
export function WaitingPanel() {
  const user = useSession()
  const mine = allWaits().filter(({ reads }) => !missing(user, reads).length)
  const [remembered] = useState(() => ownStore('waits').read()?.split(' '))
  const [quiet, setQuiet] = useState(() => remembered && new Set(remembered))
  const answers = useAnswers(mine)
  const settled = answers.every(({ count, error }) => count !== undefined || error)
  const nothing = mine.filter((_, at) => answers[at]?.count === 0).map(({ name }) => name)
  const kept = nothing.join(' ')
  useEffect(() => {
    if (!settled) return
    ownStore('waits').write(kept)
    setQuiet((now) => now ?? new Set(kept.split(' ')))
  }, [settled, kept])
  const all = mine.map((kind, at) => ({ kind, answer: answers[at] ?? {} }))
  const low = all.filter(({ kind }) => quiet?.has(kind.name))
  const high = quiet ? all.filter(({ kind }) => !quiet.has(kind.name)) : []
  return (
    <Section title={homeTexts().waiting} pad={false}>
      <Box className={remembered ? undefined : css.both}>
        {high.length > 0 && (
          <div className={css.tiles}>
            {high.map(({ kind, answer }) => (
              <Shown key={kind.name} kind={kind} {...answer} />
            ))}
          </div>
        )}
        {low.length > 0 && (
          <div className={css.line}>
            {low.map(({ kind, answer }) => (
              <Shown key={kind.name} kind={kind} {...answer} />
            ))}
          </div>
        )}
      </Box>
    </Section>
  )
}

interface Answer extends Partial<Waiting> {
  error?: Error | undefined
}

/** The counts, as far as they are there. Code and figures of each kind load by themselves. */
function useAnswers(kinds: readonly HomeWait[]): Answer[] {
  const codes = useQueries({
    queries: kinds.map(({ name, load }) => ({
      queryKey: ['home-waits', name],
      queryFn: async () => (await load()).default,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const counts = useQueries({
    queries: codes.map(({ data }, at) => data ?? { ...none, queryKey: ['home-waits', kinds[at]?.name, 'none'] }),
  })
  return kinds.map((_, at) => {
    const found = counts[at]?.data as Waiting | undefined // of `wait`, or of `none`, which never runs
    const error = codes[at]?.error ?? counts[at]?.error ?? undefined
    return found ? { count: found.count, to: found.to } : { error }
  })
}
const none = { queryFn: (): Waiting => ({ count: 0 }), enabled: false }

const nounOf = (noun: HomeWait['noun']) => (languageNow() === 'de' ? (germanWaits[noun[0]] ?? noun) : noun)

/** A count that could not be read is not shown as none. */
const Shown = ({ kind: { noun, to, urgent }, ...found }: { kind: HomeWait } & Answer) => {
  const { count, error } = found
  const [one, many] = nounOf(noun)
  return (
    <Link
      to={found.to ?? to}
      className={css.tile}
      title={error?.message}
      data-waits={(count ?? 0) > 0 || undefined}
      data-urgent={urgent}
    >
      <span className={`num ${css.count}`}>{count === undefined ? (error ? '?' : '–') : written(count)}</span>
      <Text span c="dimmed" className={css.noun}>
        {count === 1 ? one : many}
      </Text>
    </Link>
  )
}
