import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { servers } from '@innkeeper/contract/machines/servers/calls'
import { typeService } from '@innkeeper/contract/machines/servers/shapes'
import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ErrorState } from '../../kit/frame/emptyStates.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { Skeletons } from '../../kit/frame/Skeletons.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { serversApi } from './api.ts'
import { typeWord } from './words.ts'

type Type = Output<typeof servers.types>['items'][number]

/** Required services of each server type. */
export function Types() {
  const reading = useReason()(serversApi.types)
  const { data, error, refetch } = useQuery({ ...serversApi.types.query(), enabled: !reading })
  if (reading) return <Text c="dimmed">{reading}</Text>
  if (error) return <ErrorState title="The types could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeletons />
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing={16}>
      {data.items.map((type) => (
        <TypeBlock key={type.name} type={type} />
      ))}
    </SimpleGrid>
  )
}

/** Name of a service; the web server depends on the server, an edge always uses nginx. */
const wordOf = (type: Type['name'], service: string) =>
  service === 'nginx' && type !== 'cdn' && type !== 'xdn' ? 'nginx or Apache' : service

function TypeBlock({ type }: { type: Type }) {
  const [open, setOpen] = useState(false)
  const lacks = useReason()(serversApi.updateServices)
  const title = typeWord(type.name)
  return (
    <Section
      title={title}
      hint={
        <LinkTo to="/server" search={{ type: type.name }} fz="xs">
          its servers
        </LinkTo>
      }
      aside={
        open ? null : (
          <ActButton
            size="xs"
            variant="subtle"
            color="secondary"
            reason={lacks}
            aria-label={`Change services of ${title}`}
            onClick={() => setOpen(true)}
          >
            Change…
          </ActButton>
        )
      }
    >
      {open ? (
        <Services type={type} title={title} close={() => setOpen(false)} />
      ) : (
        <Mono>{type.services.map((name) => wordOf(type.name, name)).join(', ') || 'none'}</Mono>
      )}
    </Section>
  )
}

function Services({ type, title, close }: { type: Type; title: string; close: () => void }) {
  const form = useCallForm(serversApi.updateServices, {
    initial: { services: type.services },
    fixed: { type: type.name, version: type.version },
    labels: { services: 'Services' },
    onDone: () => {
      void readAgain(['servers'])
      toast.success(`${title}: services saved`, 'Servers of this type have them after “Provision now”.')
      close()
    },
  })
  return (
    <form {...form.form}>
      <FormNotes form={form} nothing="Nothing was saved." />
      <MultiSelectField
        aria-label={`Services of ${title}`}
        data={typeService.options.map((name) => ({ value: name, label: wordOf(type.name, name) }))}
        value={form.values.services}
        // the field offers only names of the contract
        onChange={(names) => form.set('services', typeService.array().parse(names))}
        searchable
        hidePickedOptions
      />
      <Group justify="flex-end" gap={8} mt={10}>
        <Button size="xs" variant="subtle" color="secondary" onClick={close}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={form.busy}>
          Save services
        </Button>
      </Group>
    </form>
  )
}
