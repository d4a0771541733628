import type { Output } from '@innkeeper/contract/kit'
import type { servers } from '@innkeeper/contract/servers'
import { typeService } from '@innkeeper/contract/servers/shapes'
import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { attempt } from '../kit/api/attempt.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { MultiSelectField } from '../kit/form/MultiSelectField.tsx'
import { ErrorState } from '../kit/frame/emptyStates.tsx'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { Skeletons } from '../kit/frame/Skeletons.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { Mono } from '../kit/look/Mono.tsx'
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
        // the key resets the form when another person saves
        <TypeBlock key={`${type.name} ${type.version}`} type={type} />
      ))}
    </SimpleGrid>
  )
}

/** Name of a service; the web server depends on the server, an edge always uses nginx. */
const wordOf = (type: Type['name'], service: string) =>
  service === 'nginx' && type !== 'cdn' && type !== 'xdn' ? 'nginx or Apache' : service

function TypeBlock({ type }: { type: Type }) {
  const [services, setServices] = useState<string[]>()
  const [busy, setBusy] = useState(false)
  const lacks = useReason()(serversApi.updateServices)
  const title = typeWord(type.name)
  const save = async () => {
    setBusy(true)
    // the field offers only names of the contract
    const wanted = typeService.array().parse(services)
    const saved = await attempt(
      () => serversApi.updateServices({ type: type.name, services: wanted, version: type.version }),
      ['servers'],
    )
    setBusy(false)
    if (!saved) return
    setServices(undefined)
    toast.success(`${title}: services saved`, 'Servers of this type have them after “Provision now”.')
  }
  return (
    <Section
      title={title}
      hint={
        <LinkTo to="/server" search={{ type: type.name }} fz="xs">
          its servers
        </LinkTo>
      }
      aside={
        services ? null : (
          <ActButton
            size="xs"
            variant="subtle"
            color="secondary"
            reason={lacks}
            aria-label={`Change services of ${title}`}
            onClick={() => setServices(type.services)}
          >
            Change…
          </ActButton>
        )
      }
    >
      {services ? (
        <>
          <MultiSelectField
            aria-label={`Services of ${title}`}
            data={typeService.options.map((name) => ({ value: name, label: wordOf(type.name, name) }))}
            value={services}
            onChange={setServices}
            searchable
            hidePickedOptions
          />
          <Group justify="flex-end" gap={8} mt={10}>
            <Button size="xs" variant="subtle" color="secondary" onClick={() => setServices(undefined)}>
              Cancel
            </Button>
            <Button size="xs" loading={busy} onClick={() => void save()}>
              Save services
            </Button>
          </Group>
        </>
      ) : (
        <Mono>{type.services.map((name) => wordOf(type.name, name)).join(', ') || 'none'}</Mono>
      )}
    </Section>
  )
}
