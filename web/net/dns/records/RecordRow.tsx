import type { Fading } from '@innkeeper/contract/net/dns/calls'
import { hasPriority } from '@innkeeper/contract/net/dns/records'
import { recordTypes } from '@innkeeper/contract/net/dns/recordTypes'
import { ActionIcon, NativeSelect, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react'
import { clock } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { type Cells, lineOf, type Row, type RowErrors } from './draft.ts'
import css from './Records.module.css'

interface Props {
  row: Row
  errors: RowErrors[number] | undefined
  fading: Fading | undefined
  /** Why the record cannot be changed. */
  reason: string | undefined
  change: (part: Partial<Cells>) => void
  remove: () => void
  undo: () => void
}
const signs = { added: '+', edited: '~', deleted: '−' }

/**
 * Editable row of one record. Cells look like text until they are focused; changed cells show the stored value struck
 * through.
 */
export function RecordRow({ row, errors = {}, fading, reason, change, remove, undo }: Props) {
  const { cells, was, gone } = row
  const changed =
    was !== undefined &&
    lineOf(cells) !== lineOf({ ...was, ttl: String(was.ttl), priority: String(was.priority ?? '') })
  const state = gone ? 'deleted' : !was ? 'added' : changed ? 'edited' : undefined
  const fixed = gone === true || reason !== undefined
  const of = `${cells.name || 'new record'} ${cells.type}`
  const cell = (key: keyof Cells, label: string, more: { inputMode?: 'numeric'; autoFocus?: boolean } = {}) => (
    <Cell
      label={`${label} of ${of}`}
      value={cells[key]}
      was={changed && was ? String(was[key] ?? '') : undefined}
      fixed={fixed}
      error={errors[key]}
      onChange={(value) => change({ [key]: value })}
      {...more}
    />
  )
  return (
    <tr data-change={state}>
      <td className={css.mark}>{state ? signs[state] : ''}</td>
      <td data-fixed width={190} className={css.name}>
        {cell('name', 'Name', { autoFocus: !was && cells.content === '' })}
      </td>
      <td data-fixed width={98}>
        {fixed ? (
          <Mono className={css.text}>{cells.type}</Mono>
        ) : (
          <NativeSelect
            variant="unstyled"
            className={css.cell}
            aria-label={`Type of ${cells.name || 'new record'}`}
            data={[...recordTypes]}
            value={cells.type}
            error={errors.type}
            onChange={(event) => {
              const type = event.currentTarget.value
              change({ type, ...(!hasPriority(type) && { priority: '' }) })
            }}
          />
        )}
      </td>
      <td data-fixed width={92}>
        {cell('ttl', 'TTL', { inputMode: 'numeric' })}
      </td>
      <td data-fixed width={72} className={css.prio}>
        {hasPriority(cells.type) && cell('priority', 'Priority', { inputMode: 'numeric' })}
      </td>
      <td className={css.content}>
        {cell('content', 'Content')}
        {fading && (
          <Text span c="dimmed" className={css.under}>
            old answers until {clock(fading.until).slice(0, 5)}
          </Text>
        )}
      </td>
      <td data-fixed width={56}>
        {state ? (
          <Tooltip label="Undo this change">
            <ActionIcon aria-label={`Undo the change of ${of}`} onClick={undo}>
              <IconArrowBackUp size={15} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Tooltip label={reason ?? 'Delete'}>
            <ActionIcon
              aria-label={`Delete ${of}`}
              aria-disabled={reason !== undefined || undefined}
              data-disabled={reason !== undefined || undefined}
              onClick={() => reason === undefined && remove()}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </td>
    </tr>
  )
}

interface CellProps {
  label: string
  value: string
  was: string | undefined
  fixed: boolean
  error: string | undefined
  inputMode?: 'numeric'
  autoFocus?: boolean
  onChange: (value: string) => void
}
const Cell = ({ label, value, was, fixed, error, onChange, ...more }: CellProps) =>
  fixed ? (
    <Mono className={css.text} title={value}>
      {value}
    </Mono>
  ) : (
    <>
      <TextInput
        variant="unstyled"
        className={css.cell}
        aria-label={label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        error={error !== undefined}
        title={value.length > 40 ? value : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...more}
      />
      {was !== undefined && was !== value && (
        <Mono c="dimmed" className={`${css.under} ${css.was}`}>
          {was || 'none'}
        </Mono>
      )}
      {error && (
        <Text span c="var(--mantine-color-error-text)" className={css.under} role="alert">
          {error}
        </Text>
      )}
    </>
  )
