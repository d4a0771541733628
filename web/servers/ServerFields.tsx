import { serverTypes } from '@innkeeper/contract/servers'
import { Checkbox, Select, TextInput } from '@mantine/core'
import type { FieldProps, TextProps } from '../kit/useCallForm.ts'
import { typeWord } from './words.ts'

export const labels = { name: 'Name', type: 'Type', address: 'Address', note: 'Note', acceptsNew: 'New websites' }
const types = serverTypes.map((type) => ({ value: type, label: typeWord(type) }))
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

interface Props {
  name: TextProps
  address: TextProps
  note: TextProps
  type: FieldProps<string>
  acceptsNew: FieldProps<boolean>
}

/** The fields that adding and editing a server share. */
export const ServerFields = ({ name, address, note, type, acceptsNew }: Props) => (
  <>
    <TextInput
      label="Name"
      description="As its host name: lower case, digits, hyphens"
      autoFocus
      autoComplete="off"
      spellCheck={false}
      styles={mono}
      {...name}
    />
    <Select
      label="Type"
      withAsterisk
      allowDeselect={false}
      data={types}
      description="Decides which services are provisioned"
      value={type.value}
      onChange={(next) => next && type.onChange(next)}
      onBlur={type.onBlur}
      error={type.error}
    />
    <TextInput
      label="Address"
      description="Its public IP address; the agent finds it when left empty"
      autoComplete="off"
      spellCheck={false}
      styles={mono}
      {...address}
    />
    <TextInput label="Note" description="Where it stands, what is particular about it" {...note} />
    <Checkbox
      label="Takes new websites"
      checked={acceptsNew.value}
      onChange={(event) => acceptsNew.onChange(event.currentTarget.checked)}
      onBlur={acceptsNew.onBlur}
      error={acceptsNew.error}
    />
  </>
)
