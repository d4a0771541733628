import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../../kit/look/CodeBlock.tsx'
import { moment } from '../../../kit/look/format.ts'
import { dnsApi } from '../api.ts'

type Step = 'begin' | 'finish' | 'cancel'
const Export = lazyDialog<{ zone: ZoneView; close: () => void }>(() => import('./KeysModal.tsx'))

/** Most zones have one key, which is simply the key. */
const kindNames = {
  CSK: 'Key',
  KSK: 'Key-signing key (KSK)',
  ZSK: 'Zone-signing key (ZSK)',
} as const satisfies Record<ZoneView['keys'][number]['kind'], string>

const asked = (step: Step, noun: 'key' | 'keys') =>
  ({
    begin: {
      title: `Sign with ${noun === 'key' ? 'another key' : 'other keys'}?`,
      text: `The former and the new ${noun} sign from now on.${noun === 'keys' ? ' The KSK and the ZSK are replaced together.' : ''} Give the registry the DS record of the new key, and wait for the TTL of the former DS record before you finish.`,
      verb: `Add ${noun === 'key' ? 'a key' : 'keys'}`,
    },
    finish: {
      title: `Remove the former ${noun}?`,
      text: `The parent zone is asked first: it has to have the DS record of the new key. All name servers have to have the new ${noun}.`,
      verb: `Remove the former ${noun}`,
      danger: true,
    },
    cancel: {
      title: `Remove the new ${noun}?`,
      text: 'The parent zone is asked first: it has to have the DS record of the former key.',
      verb: `Remove the new ${noun}`,
      danger: true,
    },
  })[step]

/** The keys of a signed zone: their DS records, the change to another key, and their export. */
export function ZoneKeys({ zone }: { zone: ZoneView }) {
  const lacking = useReason()
  const [isExporting, exporting] = useState(false)
  const [despiteDs, setDespiteDs] = useState(false)
  const { id, domain, version, keys } = zone
  const rolling = keys.some(({ next }) => next)
  const noun = keys.some(({ kind }) => kind === 'ZSK') ? 'keys' : 'key' // a KSK and a ZSK are replaced together
  const roll = async (step: Step) => {
    if (!(await confirm(asked(step, noun)))) return
    const done = await attempt(
      () => dnsApi.rollKey({ id, step, version, ...(despiteDs && { despiteDs }) }),
      ['dns', 'workflows'],
    )
    if (done)
      toast.success(
        step === 'begin'
          ? `${domain} is signed by the new ${noun} too`
          : `${domain} is signed by the remaining ${noun}`,
      )
  }
  const notNow = zone.dnssec ? lacking(dnsApi.rollKey) : 'Save the zone as signed first.'
  return (
    <Stack gap={12}>
      {keys.map(({ tag, kind, ds, since, active, next }) => (
        <Stack key={ds} gap={4}>
          <Text fz="xs" c="dimmed">
            {[
              `${kindNames[kind]} ${tag}, since ${moment(since)}`,
              ...(kind === 'ZSK' ? ['no DS record'] : []),
              ...(active ? [] : ['does not sign']),
              ...(rolling ? [next ? 'the new one' : 'the former one'] : []),
            ].join(', ')}
          </Text>
          {kind !== 'ZSK' && <CodeBlock label={`DS record of the key ${tag}`}>{`${domain}. IN DS ${ds}`}</CodeBlock>}
        </Stack>
      ))}
      {/* a zone that was signed before Innkeeper kept keys */}
      {keys.length === 0 &&
        zone.ds.map((ds) => <CodeBlock key={ds} label="DS record">{`${zone.domain}. IN DS ${ds}`}</CodeBlock>)}
      {rolling && (
        <Checkbox
          label="Remove a key even if the parent zone does not name the other one, or a name server lacks the new one"
          description="If the parent zone has only the DS record of the removed key, or a name server answers with the former key alone, validating resolvers answer SERVFAIL for the domain"
          color="red"
          checked={despiteDs}
          onChange={(event) => setDespiteDs(event.currentTarget.checked)}
        />
      )}
      <Group gap={8}>
        {rolling ? (
          <>
            <ActButton size="xs" variant="default" reason={notNow} onClick={() => void roll('finish')}>
              Remove the former {noun}…
            </ActButton>
            <ActButton size="xs" variant="default" reason={notNow} onClick={() => void roll('cancel')}>
              Remove the new {noun}…
            </ActButton>
          </>
        ) : (
          keys.length > 0 && (
            <ActButton size="xs" variant="default" reason={notNow} onClick={() => void roll('begin')}>
              {noun === 'key' ? 'Another key' : 'Other keys'}…
            </ActButton>
          )
        )}
        {(keys.length > 0 || zone.options.outside.length > 0) && (
          <ActButton size="xs" variant="default" reason={lacking(dnsApi.exportKeys)} onClick={() => exporting(true)}>
            Show private keys…
          </ActButton>
        )}
      </Group>
      {isExporting && <Export zone={zone} close={() => exporting(false)} />}
    </Stack>
  )
}
