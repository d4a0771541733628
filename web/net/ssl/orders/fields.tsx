import type { CertificateKind } from '@innkeeper/contract/net/ssl/shapes'
import { Checkbox, SegmentedControl, Stack, Text, TextInput, type TextInputProps } from '@mantine/core'
import { WebsiteField } from '../../../hosting/websites/WebsiteField.tsx'
import { TagsInputField } from '../../../kit/form/TagsInputField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { SectionBars } from '../../../kit/frame/SectionBars.tsx'
import { kindOptions } from '../words.ts'

const HstsField = lazyPart(() => import('../HstsField.tsx'), SectionBars)

/** Common props of the three forms: kind, website, and the path after saving. */
export interface FormProps {
  website: number | undefined
  websiteName: string | undefined
  onWebsite: (id: number | undefined) => void
  onKind: (kind: CertificateKind) => void
  onDone: (id: number) => void
  onCancel: () => void
}

const kindHints: Record<CertificateKind, string> = {
  'lets-encrypt': 'Every browser trusts it, it is free, and it renews itself. Its names have to lead to the server.',
  'self-signed': 'Issued at once for any name, but every browser warns about it: for websites that nobody visits yet.',
  custom: 'A certificate that you got from an authority, with its key and the certificates of its issuers.',
}

const KindField = ({ kind, onKind }: { kind: CertificateKind; onKind: FormProps['onKind'] }) => (
  <Stack gap={6}>
    <SegmentedControl
      aria-label="Kind"
      data={kindOptions}
      value={kind}
      onChange={(next) => onKind(next as CertificateKind)} // one of the options
    />
    <Text c="dimmed" fz="xs">
      {kindHints[kind]}
    </Text>
  </Stack>
)

interface SiteProps extends Pick<FormProps, 'websiteName' | 'onWebsite' | 'onKind'> {
  kind: CertificateKind
  site: FieldProps<number | undefined>
}
/** The first fields of each form. The website is kept when another kind is chosen. */
export const KindAndSite = ({ kind, onKind, site, websiteName, onWebsite }: SiteProps) => (
  <>
    <KindField kind={kind} onKind={onKind} />
    <WebsiteField
      {...site}
      valueName={websiteName}
      onChange={(id) => {
        site.onChange(id)
        onWebsite(id)
      }}
    />
  </>
)

interface NamesProps {
  value: string[]
  onChange: (names: string[]) => void
  onBlur: () => void
  error?: string | undefined
}
export const NamesField = (props: NamesProps) => (
  <TagsInputField
    label="Further names"
    description="Besides the website, its www and its aliases: mail, or * for all names below it"
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    splitChars={[',', ' ', ';']}
    placeholder={props.value.length ? '' : 'www, mail, *'}
    autoCapitalize="none"
    spellCheck={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...props}
  />
)

export const EmailField = (props: TextInputProps) => (
  <TextInput
    label="E-mail"
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    type="email"
    autoComplete="off"
    {...props}
  />
)

interface RenewalProps {
  form: {
    values: { autoRenew: boolean; vhostAliases: boolean }
    set: (key: 'autoRenew' | 'vhostAliases', on: boolean) => void
  }
}
export const RenewalFields = ({ form: { values, set } }: RenewalProps) => (
  <>
    <Checkbox
      label="Renews itself"
      description="After two thirds of its validity, or earlier if its authority asks for that"
      checked={values.autoRenew}
      onChange={(event) => set('autoRenew', event.currentTarget.checked)}
    />
    <Checkbox
      label="With the aliases of the website"
      description="Later aliases are added automatically"
      checked={values.vhostAliases}
      onChange={(event) => set('vhostAliases', event.currentTarget.checked)}
    />
  </>
)

interface HttpsProps {
  form: {
    values: { redirect: boolean; hstsDays: number }
    set: { (key: 'redirect', on: boolean): void; (key: 'hstsDays', days: number): void }
    field: (key: 'hstsDays') => { error?: string | undefined }
  }
}
export const HttpsFields = ({ form: { values, set, field } }: HttpsProps) => (
  <>
    <Checkbox
      label="http redirects to https"
      checked={values.redirect}
      onChange={(event) => set('redirect', event.currentTarget.checked)}
    />
    <HstsField days={values.hstsDays} onChange={(days) => set('hstsDays', days)} error={field('hstsDays').error} />
  </>
)
