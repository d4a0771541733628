import { serverTypes, webServers, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { Checkbox, Select, TextInput } from '@mantine/core'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { typeWord } from './words.ts'

export const labels = {
  name: 'Name',
  type: 'Type',
  webServer: 'Web server',
  address: 'Address',
  note: 'Note',
  acceptsNew: 'New websites',
}
const types = serverTypes.map((type) => ({ value: type, label: typeWord(type) }))
const webs = webServers.map((name) => ({ value: name, label: webServerTitles[name] }))
/** Only these types choose a web server: an edge always uses nginx, other types serve no websites. */
const hasChoice = (type: string) => type === 'web' || type === 'all-in-one'
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

interface Props {
  name: TextProps
  address: TextProps
  note: TextProps
  type: FieldProps<string>
  webServer: FieldProps<string>
  acceptsNew: FieldProps<boolean>
}

/** Common fields of the forms that add and edit a server. */
export const ServerFields = ({ name, address, note, type, webServer, acceptsNew }: Props) => (
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
      onChange={(next) => {
        if (!next) return
        type.onChange(next)
        if (!hasChoice(next)) webServer.onChange('nginx')
      }}
      onBlur={type.onBlur}
      error={type.error}
    />
    {hasChoice(type.value) && (
      <Select
        label="Web server"
        withAsterisk
        allowDeselect={false}
        data={webs}
        description={
          webServer.value === 'apache'
            ? 'Serves websites as nginx does. Apache ignores .htaccess here, and an account can race its check of symlinks: nginx is safer for unrelated customers on one server'
            : 'The web server for the websites of this server'
        }
        value={webServer.value}
        onChange={(next) => next && webServer.onChange(next)}
        onBlur={webServer.onBlur}
        error={webServer.error}
      />
    )}
    <TextInput
      label="Address"
      description="Its public IP address; the agent finds it when left empty"
      autoComplete="off"
      spellCheck={false}
      styles={mono}
      {...address}
    />
    <TextInput label="Note" description="Location and peculiarities" {...note} />
    <Checkbox
      label="Takes new websites"
      checked={acceptsNew.value}
      onChange={(event) => acceptsNew.onChange(event.currentTarget.checked)}
      onBlur={acceptsNew.onBlur}
      error={acceptsNew.error}
    />
  </>
)
