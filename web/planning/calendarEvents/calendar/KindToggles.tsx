import { type EntryKind, entryKinds } from '@innkeeper/contract/planning/calendarEvents/entry'
import { UnstyledButton } from '@mantine/core'
import { calendarEventTexts, entryKindTexts } from '../texts.ts'
import css from './calendar.module.css'
import { colours } from './entries.ts'

// the keys of `entryKinds` are literals
const all = Object.keys(entryKinds) as EntryKind[]

/** Legend of the colours, which also filters by kind. No selection shows all kinds. */
export function KindToggles({ kinds, set }: { kinds: readonly EntryKind[]; set: (kinds: EntryKind[]) => void }) {
  const shown = kinds.length ? kinds : all
  const toggle = (kind: EntryKind) => {
    const next = shown.includes(kind) ? shown.filter((one) => one !== kind) : [...shown, kind]
    set(next.length === all.length ? [] : next)
  }
  return (
    <fieldset className={css.kinds} aria-label={calendarEventTexts().kinds}>
      {all.map((kind) => (
        <UnstyledButton
          key={kind}
          className={css.kind}
          aria-pressed={shown.includes(kind)}
          onClick={() => toggle(kind)}
        >
          <span className={css.swatch} data-colour={colours[kind]} data-kind={kind} aria-hidden />
          {entryKindTexts()[kind]}
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
