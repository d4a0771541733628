import { serverTypes } from '@innkeeper/contract/servers'
import { Checkbox, Select, TextInput } from '@mantine/core'
import { typeWord } from './words.ts'

export const labels = { name: 'Name', type: 'Type', address: 'Address', note: 'Note', acceptsNew: 'New websites' }
const types = serverTypes.map((type) => ({ value: type, label: typeWord(type) }))
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** What a call's form gives for one field. */
interface Text {
  name: string
  value: string
  onChange: (event: { currentTarget: { value: string } }) => void
  onBlur: () => void
  error?: string
  required: boolean
}
interface Choice<T> {
  value: T
  onChange: (value: T) => void
  onBlur: () => void
  error?: string
}
interface Props {
  name: Text
  address: Text
  note: Text
  type: Choice<string>
  acceptsNew: Choice<boolean>
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
