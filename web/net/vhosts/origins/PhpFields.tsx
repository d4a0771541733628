import { phpChange } from '@innkeeper/contract/hosting/phpParameters'
import { type PhpName, phpNames, phpRules } from '@innkeeper/contract/hosting/phpRules'
import { Autocomplete, Select, TextInput } from '@mantine/core'
import css from '../vhosts.module.css'
import type { PhpDraft } from '../words.ts'

interface Props {
  value: PhpDraft
  onChange: (value: PhpDraft) => void
  /** Errors of the server, by `phpParameters.memory_limit`. */
  refused: Record<string, string>
}
const zones = Intl.supportedValuesOf('timeZone')
const units = { size: 'MB', seconds: 's', count: '' }

/** All parameters of the allow-list; an empty one keeps the default. */
export function PhpFields({ value, onChange, refused }: Props) {
  const set = (name: PhpName) => (text: string | null) => onChange({ ...value, [name]: text ?? '' })
  return (
    <div className={css.php}>
      {phpNames.map((name) => {
        const rule = phpRules[name]
        const shared = {
          label: name,
          description: rule.hint,
          value: value[name],
          error: refused[`phpParameters.${name}`] ?? problemOf(name, value[name]),
        }
        if (rule.type === 'switch')
          return (
            <Select
              key={name}
              {...shared}
              value={value[name] || null}
              onChange={set(name)}
              clearable
              placeholder={rule.default ? 'on' : 'off'}
              data={['on', 'off']}
            />
          )
        if (rule.type === 'zone')
          return (
            <Autocomplete
              key={name}
              {...shared}
              onChange={set(name)}
              placeholder={rule.default}
              data={zones}
              limit={30}
            />
          )
        return (
          <TextInput
            key={name}
            {...shared}
            inputMode="numeric"
            placeholder={rule.default === null ? 'by its plan' : String(rule.default)}
            rightSection={units[rule.type]}
            rightSectionPointerEvents="none"
            onChange={(event) => set(name)(event.currentTarget.value)}
          />
        )
      })}
    </div>
  )
}

/** The contract's error for a parameter; undefined for an empty or valid one. */
function problemOf(name: PhpName, text: string): string | undefined {
  if (text.trim() === '') return undefined
  const rule = phpRules[name]
  if (phpChange.shape[name].safeParse(text.trim()).success) return undefined
  return 'min' in rule ? `A whole number from ${rule.min} to ${rule.max}` : 'A time zone such as Europe/Oslo'
}

export const isRight = (draft: PhpDraft): boolean => phpNames.every((name) => !problemOf(name, draft[name]))
