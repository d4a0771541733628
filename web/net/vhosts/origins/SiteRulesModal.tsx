import { type WebServer, webServers, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import {
  type Application,
  applicationHints,
  applications,
  applicationTitles,
  USUAL,
} from '@innkeeper/contract/net/originVhosts/applications'
import type { OriginVhost, RulesVersion, WebsiteRules } from '@innkeeper/contract/net/originVhosts/shapes'
import { wrongRules } from '@innkeeper/contract/net/ownRules/judges'
import { Button, Group, Select, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { When } from '../../../kit/look/When.tsx'
import { originVhostsApi } from '../api.ts'

const monoInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } } as const
const FOUND = 'found'
const placeholders: Readonly<Record<WebServer, string>> = {
  nginx: 'location = /old { return 301 /new; }',
  apache: 'RewriteRule ^/old$ /new [R=301,L]',
}

/** The application of a website and own rules of staff, which the web server checks before they are served. */
export default function SiteRulesModal({ vhost: shown, close }: { vhost: OriginVhost; close: () => void }) {
  const vhost = useOpened(shown)
  const { data, error } = useQuery({ ...originVhostsApi.rules.query({ id: vhost.id }), gcTime: 0, staleTime: Infinity })
  if (data) return <RulesForm vhost={vhost} rules={data} close={close} />
  return (
    <Dialog opened onClose={close} title={`Rules of ${vhost.domain}`} size={760}>
      <Text c="dimmed">{error?.message ?? <Reading />}</Text>
    </Dialog>
  )
}

function RulesForm({ vhost, rules, close }: { vhost: OriginVhost; rules: WebsiteRules; close: () => void }) {
  const { id, domain, version, webServer, serverName } = vhost
  const form = useCallForm(originVhostsApi.setRules, {
    initial: { application: rules.chosen, nginx: rules.nginx, apache: rules.apache, note: '' },
    fixed: { id, version },
    labels: { application: 'Application', nginx: 'Rules of nginx', apache: 'Rules of Apache', note: 'Reason' },
    onDone: ({ workflowId }) => {
      void readAgain(['originVhosts', 'websites', 'workflows'])
      if (workflowId)
        toast.info(`Changing the rules of ${domain}`, 'The change is undone automatically if the website fails.')
      close()
    },
  })
  const application = form.field('application')
  const wrong = wrongRules(form.values)
  const wrongIn = (server: WebServer) => form.field(server).error ?? (form.differs(server) ? wrong[server] : undefined)
  const refusing = webServers.find((server) => wrongIn(server))
  const refused = refusing && `${webServerTitles[refusing]}: ${wrongIn(refusing)}`
  const effective = application.value ?? rules.found ?? USUAL
  const take = ({ nginx, apache }: RulesVersion) => {
    form.field('nginx').onChange(nginx)
    form.field('apache').onChange(apache)
  }
  return (
    <FormModal
      opened
      close={close}
      title={`Rules of ${domain}`}
      save="Change rules"
      form={{ ...form, valid: form.valid && form.dirty && !refused, wanting: form.wanting ?? refused }}
      nothing="Nothing was changed."
      size={760}
    >
      <Stack gap={6}>
        <Select
          label="Application"
          allowDeselect={false}
          data={[
            { value: FOUND, label: `As found: ${rules.found ? applicationTitles[rules.found] : 'none that is known'}` },
            ...applications.map((value) => ({ value, label: applicationTitles[value] })),
          ]}
          value={application.value ?? FOUND}
          onChange={(value) => application.onChange(value === FOUND || !value ? null : (value as Application))}
          error={application.error}
          description={applicationHints[effective]}
        />
        <LookNow id={id} serverName={serverName} />
      </Stack>
      <Tabs defaultValue={webServer} keepMounted={false}>
        <Tabs.List>
          {[...webServers]
            .sort((one) => (one === webServer ? -1 : 1))
            .map((value) => (
              <Tabs.Tab key={value} value={value} c={wrongIn(value) ? 'error' : undefined}>
                {webServerTitles[value]}
                {value !== webServer && ' (if the website moves there)'}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        {webServers.map((value) => (
          <Tabs.Panel key={value} value={value} pt={16}>
            <Textarea
              label="Own rules"
              description={
                value === webServer
                  ? `${webServerTitles[value]} on ${serverName} checks them before they are served. They come before the rules of the application.`
                  : `Their words are checked now, and by ${webServerTitles[value]} once the website is served there.`
              }
              placeholder={placeholders[value]}
              autosize
              minRows={8}
              maxRows={20}
              spellCheck={false}
              styles={monoInput}
              {...form.text(value)}
              error={wrongIn(value)}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      <TextInput label="Reason" placeholder="Why the rules are so" {...form.text('note')} />
      {rules.total > 0 && <Versions rules={rules} take={take} />}
    </FormModal>
  )
}

function LookNow({ id, serverName }: { id: number; serverName: string }) {
  const [found, setFound] = useState<Application | null>()
  const { busy, run } = useAct()
  const look = () => run(async () => setFound((await originVhostsApi.findApplication({ id })).found))
  return (
    <Group gap={10}>
      <ActButton size="xs" variant="default" loading={busy} onClick={() => void look()}>
        Look at its folder now
      </ActButton>
      {found !== undefined && (
        <Text c="dimmed" fz="xs">
          {found
            ? `${serverName} finds ${applicationTitles[found]}. The website gets its rules within a quarter of an hour.`
            : `${serverName} finds no application that is known.`}
        </Text>
      )}
    </Group>
  )
}

/** Former versions: one click puts their texts into the form, where they are checked like any others. */
function Versions({ rules, take }: { rules: WebsiteRules; take: (version: RulesVersion) => void }) {
  const newest = rules.versions.length
  return (
    <Stack gap={6}>
      <Text fz="sm" fw={500}>
        Versions{rules.total > newest && `, the newest ${newest} of ${rules.total}`}
      </Text>
      <SectionTable
        label="Versions of the own rules"
        edges={false}
        maxHeight={220}
        columns={[
          {
            title: 'Version',
            width: 90,
            cell: ({ number }) => (number === rules.current ? `${number}, served` : number),
          },
          { title: 'By', cell: ({ staffName }) => staffName },
          { title: 'When', cell: ({ at }) => <When at={at} /> },
          { title: 'Reason', cell: ({ note }) => note || <Text c="dimmed">none</Text> },
          {
            title: '',
            cell: (version) => (
              <Button size="compact-xs" variant="default" onClick={() => take(version)}>
                Take version {version.number}
              </Button>
            ),
          },
        ]}
        rows={rules.versions}
        keyOf={({ number }) => number}
      />
    </Stack>
  )
}
