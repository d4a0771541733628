import { countSegments, type Segments } from '@innkeeper/contract/desk/sms/segments'
import { Button, Group, Input, Pill, Text, Textarea, type TextareaProps } from '@mantine/core'
import { useId, useRef } from 'react'
import { listed } from '../access/reasons.ts'
import { count, counted } from '../look/format.ts'
import css from './MessageField.module.css'
import { filled, type Placeholder, partsOf, unknownIn } from './placeholders.ts'
import { WRONG } from './useTyped.ts'

interface Props extends Omit<TextareaProps, 'value' | 'onChange' | 'onBlur'> {
  label: string
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  placeholders?: readonly Placeholder[]
  /** Counts the segments of a text message. */
  counts?: boolean
}

/** A text with placeholders: chips insert them, the preview shows examples, and the count uses the filled text. */
export function MessageField({ value, onChange, onBlur, placeholders = [], counts, error, ...rest }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const unknown = unknownIn(value, placeholders)
  const insert = (name: string) => {
    const [from, to] = [area.current?.selectionStart ?? value.length, area.current?.selectionEnd ?? value.length]
    const piece = `{{${name}}}`
    onChange(value.slice(0, from) + piece + value.slice(to))
    // after React has updated the text
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(from + piece.length, from + piece.length)
    })
  }
  return (
    <div>
      <Textarea
        autosize
        minRows={3}
        maxRows={12}
        {...rest}
        ref={area}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        aria-describedby={id}
        {...{ [WRONG]: unknown.length > 0 || undefined }}
        error={unknown.length ? unknownText(unknown) : error}
      />
      <div id={id}>
        {counts && <Count {...countSegments(filled(value, placeholders))} exact={!value.includes('{{')} />}
        {placeholders.length > 0 && (
          <Group gap={6} mt={6} component="fieldset" className={css.chips} aria-label={`Placeholders of ${rest.label}`}>
            {placeholders.map(({ name, example }) => (
              <Button
                key={name}
                size="xs"
                variant="default"
                radius="xl"
                className="mono"
                title={`Such as ${example}`}
                aria-label={`Insert ${name}`}
                onClick={() => insert(name)}
              >
                {name}
              </Button>
            ))}
          </Group>
        )}
      </div>
      {value.includes('{{') && (
        <>
          <Input.Label component="div" mt={10}>
            As it reads
          </Input.Label>
          <Preview text={value} placeholders={placeholders} />
        </>
      )}
    </div>
  )
}

const unknownText = (names: string[]) =>
  `${names.length === 1 ? 'No such placeholder' : 'No such placeholders'}: ${listed(names.map((name) => name || '{{}}'))}`

function Count({ encoding, characters, segments, left, beyond, exact }: Segments & { exact: boolean }) {
  return (
    <Text c="dimmed" fz="xs" mt={4} className="num" role="status">
      {[
        `${exact ? '' : 'About '}${counted(characters, ['character', 'characters'])}`,
        counted(segments, ['segment', 'segments']),
        `${count(left)} left in ${segments > 1 ? 'the last' : 'it'}`,
        encoding,
        beyond.length > 0 && `because of ${beyond.slice(0, 5).join(' ')}${beyond.length > 5 ? ' …' : ''}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  )
}

const Preview = ({ text, placeholders }: { text: string; placeholders: readonly Placeholder[] }) => (
  <div className={css.preview}>
    {partsOf(text, placeholders).map((part, n) =>
      'text' in part ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text are known by their place
        <span key={n}>{part.text}</span>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Pill key={n} size="sm" className={css.pill} data-unknown={part.known ? undefined : true} title={part.name}>
          {part.known?.example ?? `{{${part.name}}}`}
        </Pill>
      ),
    )}
  </div>
)
