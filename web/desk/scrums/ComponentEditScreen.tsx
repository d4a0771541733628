import type { ScrumComponent } from '@innkeeper/contract/desk/scrums/shapes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { scrumsApi } from './api.ts'
import { ComponentFields } from './ComponentFields.tsx'

export default numbered('componentId', ComponentEditScreen)

function ComponentEditScreen({ id }: { id: number }) {
  const query = useQuery(scrumsApi.component.query({ id }))
  return query.data ? <Form component={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ component }: { component: ScrumComponent }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/scrums/components' })
  const { id, name, description, weight, status, version } = useOpened(component)
  const form = useCallForm(scrumsApi.updateComponent, {
    initial: { name, description, weight, status, version },
    fixed: { id },
    labels: { name: 'Name', weight: 'Weight' },
    onDone: (saved) => {
      void readAgain(['scrums'])
      toast.success(`${saved.name} is saved`)
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={name}
      left="Submitted audits keep its former name and weight."
      save="Save component"
      onCancel={toList}
    >
      <ComponentFields
        name={form.text('name')}
        description={form.text('description')}
        weight={form.field('weight')}
        status={form.field('status')}
      />
    </FormScreen>
  )
}
