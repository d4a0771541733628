import { type ServerView, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { serversApi } from './api.ts'
import { labels, ServerFields } from './ServerFields.tsx'

export default numbered('server', ServerEditScreen)

function ServerEditScreen({ id }: { id: number }) {
  const query = useQuery(serversApi.view.query({ id }))
  // the form keeps the opened version, so that a parallel change appears as a conflict
  return query.data ? <Form server={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ server }: { server: ServerView }) {
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/server/$server', params: { server: String(server.id) } })
  const { id, name, type, address, note, acceptsNew, version } = server
  const webServer = server.webServer ?? 'nginx'
  const form = useCallForm(serversApi.update, {
    initial: { name, type, webServer, address: address ?? '', note: note ?? '', acceptsNew, version },
    fixed: { id },
    labels,
    onDone: (saved) => {
      void readAgain(['servers'])
      toast.success(`${saved.name} is saved`)
      back()
    },
  })
  return (
    <FormScreen
      form={form}
      title={`Edit ${name}`}
      nothing="Nothing was saved."
      edits
      save="Save server"
      onCancel={back}
    >
      <ServerFields
        name={form.text('name')}
        address={form.text('address')}
        note={form.text('note')}
        type={{ ...form.field('type'), onChange: (next) => form.set('type', next as ServerView['type']) }}
        webServer={{
          ...form.field('webServer'),
          onChange: (next) => form.set('webServer', next as NonNullable<ServerView['webServer']>),
        }}
        acceptsNew={form.field('acceptsNew')}
      />
      {form.values.type !== type && (
        <Alert color="info" p="10px 14px" title="Another type wants other services">
          <Text>The new services are there after “Provision now”. Services of the former type stay.</Text>
        </Alert>
      )}
      {form.values.webServer !== webServer && (
        <Alert
          color="info"
          p="10px 14px"
          title={`${webServerTitles[form.values.webServer]} is there after “Provision now”`}
        >
          <Text>{webServerTitles[webServer]} is then stopped. Until then the server accepts no website.</Text>
        </Alert>
      )}
    </FormScreen>
  )
}
