import type { CertificateKind } from '@innkeeper/contract/net/ssl/shapes'
import { certificateKind } from '@innkeeper/contract/net/ssl/shapes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { websitesApi } from '../../../hosting/websites/api.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { toId } from '../../../kit/frame/numbered.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import type { FormProps } from './fields.tsx'
import { LetsEncryptForm } from './LetsEncryptForm.tsx'

const CustomForm = lazyPart(() => import('./CustomForm.tsx'), Skeletons)
const SelfSignedForm = lazyPart(() => import('./SelfSignedForm.tsx'), Skeletons)
const forms: Record<CertificateKind, (props: FormProps) => React.ReactNode> = {
  'lets-encrypt': LetsEncryptForm,
  'self-signed': SelfSignedForm,
  custom: CustomForm,
}

/** A form for each of the three kinds of certificate. Changing the kind keeps the website. */
export default function CertificateCreateScreen() {
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const wanted = certificateKind.safeParse(search.kind)
  const [kind, setKind] = useState<CertificateKind>(wanted.success ? wanted.data : 'lets-encrypt')
  const [website, setWebsite] = useState(toId(search.website))
  const known = useQuery({ ...websitesApi.one.query({ id: website ?? 0 }), enabled: website !== undefined })
  const Form = forms[kind]
  return (
    <Form
      key={kind}
      website={website}
      websiteName={known.data?.domain}
      onWebsite={setWebsite}
      onKind={setKind}
      onDone={(id) => {
        void readAgain(['ssl', 'websites', 'workflows'])
        void navigate({ to: '/ssl/$id', params: { id: String(id) } })
      }}
      onCancel={() => void navigate({ to: '/ssl' })}
    />
  )
}
