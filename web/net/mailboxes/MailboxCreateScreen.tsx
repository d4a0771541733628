import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { websitesApi } from '../../hosting/websites/api.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { NoServer } from '../../machines/servers/choice/NoServer.tsx'
import { Again } from './Again.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'

interface Wish {
  websiteId: number | undefined
  domain: string
  serverId: number | undefined
  again: boolean | undefined
}
const empty: Wish = { websiteId: undefined, domain: '', serverId: undefined, again: undefined }
const labels = { websiteId: 'Website', domain: 'Domain', serverId: 'Server' }

/** List call of websites in the shape that PickOne reads. */
const byDomain = {
  query({ search, itemsPerPage }: { search: string; itemsPerPage: number }) {
    const { queryKey, queryFn } = websitesApi.list.query({
      ...{ domain: search, sort: 'domain', kind: ['main', 'sub'], itemsPerPage },
    })
    return {
      queryKey: [...queryKey, 'for mail'],
      queryFn: async (context: { signal: AbortSignal }) => ({ items: (await queryFn(context)).Websites }),
    }
  },
}
const mailServers = {
  query: (input: { search: string; itemsPerPage: number }) =>
    serversApi.list.query({ ...input, type: ['mail', 'all-in-one'] }),
}

export default function MailboxCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/mailboxes/list' })
  const form = useCallForm(mailboxesApi.create, {
    initial: empty,
    labels,
    onDone: ({ data }) => {
      void readAgain(domains)
      toast.info(`Creating the mail of ${data.domain}`)
      void navigate({ to: '/mailboxes/edit/$mailboxId', params: { mailboxId: String(data.id) } })
    },
  })
  const { required: _, ...website } = form.field('websiteId')
  const { required: __, ...server } = form.field('serverId')
  const lacksDomain = form.values.domain.trim() === '' && form.values.websiteId === undefined
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left={
        lacksDomain
          ? 'Still needed: a website or a domain'
          : 'Postfix, Dovecot and rspamd are installed on the server with its first mail domain.'
      }
      save="Create mail domain"
      disabled={lacksDomain}
      onCancel={toList}
    >
      <PickOne
        label="Website"
        description="Mail is suspended and deleted with it. Empty: mail without a website"
        placeholder="Domain"
        call={byDomain}
        nameOf={({ domain }) => domain}
        hint={({ serverName }) => serverName}
        {...website}
        value={website.value ?? null}
        onChange={(id) => website.onChange(id ?? undefined)}
      />
      <TextInput
        label="Domain"
        description="The part of its addresses after @. Empty: the domain of the website"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('domain')}
      />
      <PickOne
        label="Server"
        description="Empty: the server of the website if it has mail, otherwise the mail server with the fewest mail domains"
        none={<NoServer type="mail" />}
        placeholder="Name"
        call={mailServers}
        nameOf={({ name }) => name}
        hint={({ type }) => type}
        {...server}
        value={server.value ?? null}
        onChange={(id) => server.onChange(id ?? undefined)}
      />
      <Again label="Start empty, without the former mail" field={form.field('again')} />
    </FormScreen>
  )
}
