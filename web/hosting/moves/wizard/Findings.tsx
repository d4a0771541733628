import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import { Text, VisuallyHidden } from '@mantine/core'
import { Section } from '../../../kit/frame/Section.tsx'
import { Glyph } from '../../../kit/look/Glyph.tsx'
import { stateOf } from '../../../kit/look/stateWords.ts'
import { levelStates } from '../words.ts'
import css from './findings.module.css'

const order = { blocker: 0, warning: 1, ok: 2 }
const words = { blocker: 'Blocker', warning: 'Warning', ok: 'Fine' }

/** Results of the preflight, blocking ones first. */
export const Findings = ({
  findings,
  hint,
  title = 'Preflight',
}: {
  findings: readonly Finding[]
  hint?: string
  title?: string
}) => (
  <Section title={title} hint={hint ?? summary(findings)} pad={false}>
    <ul className={css.findings}>
      {findings
        .toSorted((a, b) => order[a.level] - order[b.level])
        .map(({ key, title, level, text }) => {
          const { colour, shape } = stateOf(levelStates[level])
          return (
            <li key={`${key} ${title}`} className={css.finding}>
              <Glyph shape={shape} colour={colour} size={14} />
              <Text fw={500}>
                <VisuallyHidden>{words[level]}: </VisuallyHidden>
                {title}
              </Text>
              <Text c={level === 'blocker' ? 'var(--mantine-color-error-text)' : 'dimmed'} className={css.text}>
                {text}
              </Text>
            </li>
          )
        })}
    </ul>
  </Section>
)

export function summary(findings: readonly Finding[]): string {
  const blockers = findings.filter(({ level }) => level === 'blocker').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  if (blockers) return blockers === 1 ? 'one problem blocks it' : `${blockers} problems block it`
  if (warnings) return warnings === 1 ? 'one warning' : `${warnings} warnings`
  return findings.length ? 'no problems' : 'not checked yet'
}
