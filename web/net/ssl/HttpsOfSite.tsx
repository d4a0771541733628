import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { notSwitchable } from '../../hosting/websites/page/switching.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { sslApi, touched } from './api.ts'
import { UsedCertificate } from './UsedCertificate.tsx'
import { daysLeft, someOf } from './words.ts'

/** HTTPS settings of a website and its active certificate. */
export default function HttpsOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(sslApi.ofWebsite.query({ id: website.id }))
  const lacking = useReason()
  const navigate = useNavigate()
  const https = data?.https ?? undefined
  const used = data?.items.find(({ id }) => id === https?.certificateId)
  const others = data?.items.filter(({ id }) => id !== https?.certificateId) ?? []
  const busy = notSwitchable(website)
  const order = async () => {
    if (await attempt(() => sslApi.order({ id: website.id }), touched))
      toast.info(`Ordering a certificate for ${website.domain}`)
  }
  return (
    <Section
      title="https"
      hint={used ? daysLeft(used.notAfter) : undefined}
      aside={
        <Group gap={8}>
          {!used && (
            <ActButton size="xs" variant="default" reason={lacking(sslApi.order) ?? busy} onClick={() => void order()}>
              Order Let’s Encrypt
            </ActButton>
          )}
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(sslApi.letsEncrypt)}
            onClick={() => void navigate({ to: '/ssl/create', search: { website: String(website.id) } })}
          >
            Add certificate…
          </ActButton>
        </Group>
      }
    >
      <Stack gap={14}>
        {!used && (
          <Text c="dimmed">
            {error?.message ?? (data ? 'Only over http: browsers call it not secure.' : <Reading />)}
          </Text>
        )}
        {used && https && <UsedCertificate website={website} certificate={used} https={https} busy={busy} />}
        {others.map((one) => (
          <Group key={one.id} justify="space-between" wrap="nowrap">
            <LinkTo to="/ssl/$id" params={{ id: String(one.id) }} truncate>
              <Mono>{someOf(one.names)}</Mono>
            </LinkTo>
            <StatusBadge state={one.status} label={one.status === 'active' ? 'Not used' : undefined} />
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
