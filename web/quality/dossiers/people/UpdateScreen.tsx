import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { peopleApi } from '../api.ts'
import { MembershipsOf } from '../memberships/MembershipsOf.tsx'

export default numbered('userId', UpdateScreen)

function UpdateScreen({ id }: { id: number }) {
  const query = useQuery(peopleApi.user.query({ id }))
  return query.data ? <Form dossier={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ dossier }: { dossier: DossierUser }) {
  const navigate = useNavigate()
  const toPage = () => void navigate({ to: `/dossiers/${dossier.id}` })
  const { id, version, startedOn, about } = useOpened(dossier)
  const form = useCallForm(peopleApi.updateUser, {
    initial: { startedOn: startedOn ?? '', about, version },
    fixed: { id },
    labels: { startedOn: 'Started with us', about: 'About' },
    onDone: ({ name }) => {
      void readAgain(['dossiers'])
      toast.success(`The dossier of ${name} is saved`)
      toPage()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={dossier.name}
      meta={[dossier.team?.name, dossier.position?.name].filter(Boolean).join(', ') || 'No team'}
      left="Teams and positions are saved one by one."
      save="Save dossier"
      reason={useReason()(peopleApi.updateUser)}
      onCancel={toPage}
    >
      <DateField label="Started with us" {...form.field('startedOn')} />
      <Textarea
        label="About"
        description="Whoever may see dossiers reads it"
        autosize
        minRows={3}
        {...form.text('about')}
      />
      <MembershipsOf userId={id} name={dossier.name} />
    </FormScreen>
  )
}
