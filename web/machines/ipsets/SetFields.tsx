import { Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { serversApi } from '../servers/api.ts'
import { labels } from './words.ts'

interface Props {
  description: TextProps
  everywhere: FieldProps<boolean>
  serverIds: FieldProps<number[]>
  maxElements: FieldProps<number>
  disabled?: boolean
}

/** Common fields of the forms that add and change a set. */
export function SetFields({ description, everywhere, serverIds, maxElements, disabled }: Props) {
  const lacking = useReason()
  const reason = lacking(serversApi.list)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const found = useQuery({
    ...serversApi.list.query({ search, itemsPerPage: 50 }),
    placeholderData: keepPreviousData,
    enabled: !reason,
  })
  const chosen = useQuery({
    ...serversApi.list.query({ ids: serverIds.value, itemsPerPage: 200 }),
    placeholderData: keepPreviousData,
    enabled: !reason && serverIds.value.length > 0,
  })
  const known = new Map([...(chosen.data?.items ?? []), ...(found.data?.items ?? [])].map(({ id, name }) => [id, name]))
  const asked = found.data?.items.map(({ id }) => id) ?? []
  const options = [...new Set([...serverIds.value, ...asked])].map((id) => ({
    value: String(id),
    label: known.get(id) ?? `Server ${id}`,
  }))
  return (
    <>
      <TextInput label={labels.description} disabled={disabled} autoComplete="off" {...description} />
      <Checkbox
        label="On all servers"
        description="Including servers that are added later"
        disabled={disabled}
        checked={everywhere.value}
        onChange={(event) => everywhere.onChange(event.currentTarget.checked)}
        error={everywhere.error}
      />
      {!everywhere.value && (
        <MultiSelectField
          label={labels.serverIds}
          description={reason ?? 'The servers that drop its banned addresses'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={options}
          disabled={disabled || reason !== undefined}
          searchable
          clearable
          searchValue={typed}
          onSearchChange={setTyped}
          filter={({ options }) => options} // the server filters the options
          nothingFoundMessage={found.isFetching ? 'Looking…' : 'No such server'}
          value={serverIds.value.map(String)}
          onChange={(ids) => serverIds.onChange(ids.map(Number))}
          error={serverIds.error ?? found.error?.message}
        />
      )}
      <NumberField
        label={labels.maxElements}
        description="More are refused, so that a faulty list does not fill the memory of every server"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        disabled={disabled}
        min={1}
        thousandSeparator=","
        allowDecimal={false}
        value={maxElements.value}
        onChange={(n) => maxElements.onChange(Number(n))}
        onBlur={maxElements.onBlur}
        error={maxElements.error}
      />
    </>
  )
}
