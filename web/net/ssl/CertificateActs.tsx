import { type Certificate, revocationReason } from '@innkeeper/contract/net/ssl/shapes'
import { Menu } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconShieldCheck, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { sslApi } from './api.ts'
import { revocationOptions, someOf } from './words.ts'

const touched = ['ssl', 'websites', 'workflows']

/** Why a certificate cannot be changed: its order is running, or it is revoked. */
export const whyBusy = ({ status }: Certificate): string | undefined =>
  status === 'ordering'
    ? 'The certificate is being ordered. Wait for the order to end.'
    : status === 'revoked'
      ? 'The certificate is revoked: order another one.'
      : undefined

/** Actions on a certificate, for its row and its page. */
export function CertificateActs({ certificate, onRemoved }: { certificate: Certificate; onRemoved?: () => void }) {
  const lacking = useReason()
  const { id, version, domain, kind, autoRenew, uses, fingerprint } = certificate
  const isElsewhere =
    kind === 'custom' ? 'A certificate of your own is renewed where you got it: upload the next one.' : undefined
  const isUsed = uses.some((use) => use.domain === domain) ? `${domain} already uses it.` : undefined
  const install = async () => {
    const begun = await attempt(() => sslApi.install({ id }), touched)
    if (begun)
      toast.info(`Installing the certificate of ${domain}`, 'The former certificate stays until the new one is served.')
  }
  const turn = async () => {
    const kept = await attempt(() => sslApi.settings({ id, version, autoRenew: !autoRenew }), ['ssl'])
    if (kept)
      toast.success(kept.autoRenew ? 'The certificate renews itself' : 'The certificate is renewed by hand from now on')
  }
  return (
    <>
      <MenuAction
        label="Renew now"
        icon={<IconRefresh size={15} />}
        reason={lacking(sslApi.renew) ?? isElsewhere ?? whyBusy(certificate)}
        onClick={() => void renew(certificate)}
      />
      <MenuAction
        label="Install"
        icon={<IconShieldCheck size={15} />}
        reason={lacking(sslApi.install) ?? whyBusy(certificate) ?? (fingerprint ? isUsed : 'Nothing was issued yet.')}
        onClick={() => void install()}
      />
      <MenuAction
        label={autoRenew ? 'Stop renewing it' : 'Have it renew itself'}
        icon={autoRenew ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
        reason={lacking(sslApi.settings) ?? isElsewhere}
        onClick={() => void turn()}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={
          lacking(sslApi.remove) ??
          (uses.length ? `${someOf(uses.map((use) => use.domain))} uses it: install another one first.` : undefined)
        }
        onClick={() => void remove(certificate, onRemoved)}
      />
    </>
  )
}

export async function renew({ id, version, domain }: Certificate): Promise<void> {
  if (await attempt(() => sslApi.renew({ id, version }), touched)) toast.info(`Renewing the certificate of ${domain}`)
}

async function remove(certificate: Certificate, onRemoved?: () => void): Promise<void> {
  const { id, version, names, domain, kind, status } = certificate
  const isOut = kind === 'lets-encrypt' && ['active', 'expiring'].includes(status)
  let chosen = ''
  const sure = await confirmByName({
    title: `Delete the certificate of ${domain}?`,
    name: domain,
    verb: 'Delete certificate',
    goes: [`The certificate for ${someOf(names, 4) || domain}`, 'Its private key, for good'],
    stays: 'No website uses this certificate.',
    ...(isOut && {
      choice: {
        label: 'At its authority',
        options: [{ value: '', label: 'The certificate stays valid until it ends' }, ...revocationOptions],
        onChange: (value) => {
          chosen = value
        },
      },
    }),
  })
  if (!sure) return
  const revoke = revocationReason.safeParse(chosen).data
  const asked = { id, version, ...(revoke && { revoke }) }
  if (!(await succeeds(() => sslApi.remove(asked), ['ssl', 'workflows']))) return
  if (revoke)
    toast.info(
      `The certificate of ${domain} is being revoked`,
      'The website drops the certificate once the authority has revoked it.',
    )
  else toast.success(`The certificate of ${domain} is deleted`)
  onRemoved?.()
}
