import { Checkbox, MultiSelect, NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../kit/reasons.ts'
import type { FieldProps, TextProps } from '../kit/useCallForm.ts'
import { serversApi } from '../servers/api.ts'
import { labels } from './words.ts'

interface Props {
  description: TextProps
  everywhere: FieldProps<boolean>
  serverIds: FieldProps<number[]>
  maxElements: FieldProps<number>
  disabled?: boolean
}

/** What adding and changing a set share. */
export function SetFields({ description, everywhere, serverIds, maxElements, disabled }: Props) {
  const lacking = useReason()
  const reason = lacking(serversApi.list)
  const { data } = useQuery({ ...serversApi.list.query({ itemsPerPage: 200 }), enabled: !reason })
  const known = new Map((data?.items ?? []).map(({ id, name }) => [id, name]))
  const options = [...new Set([...known.keys(), ...serverIds.value])].map((id) => ({
    value: String(id),
    label: known.get(id) ?? `Server ${id}`,
  }))
  return (
    <>
      <TextInput label={labels.description} disabled={disabled} autoComplete="off" {...description} />
      <Checkbox
        label="On all servers"
        description="Also on those that are added later"
        disabled={disabled}
        checked={everywhere.value}
        onChange={(event) => everywhere.onChange(event.currentTarget.checked)}
        error={everywhere.error}
      />
      {!everywhere.value && (
        <MultiSelect
          label={labels.serverIds}
          description={reason ?? 'Where it drops what is banned'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={options}
          disabled={disabled || reason !== undefined}
          searchable
          clearable
          value={serverIds.value.map(String)}
          onChange={(ids) => serverIds.onChange(ids.map(Number))}
          error={serverIds.error}
        />
      )}
      <NumberInput
        label={labels.maxElements}
        description="More are refused, so that a list that went wrong does not fill the memory of every server"
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
