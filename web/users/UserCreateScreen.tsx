import { Radio, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../kit/api/readAgain.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { FormNotes } from '../kit/form/FormNotes.tsx'
import css from '../kit/form/form.module.css'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { SaveBar } from '../kit/form/SaveBar.tsx'
import { useCallForm } from '../kit/form/useCallForm.ts'
import { Screen } from '../kit/frame/Screen.tsx'
import { usersApi } from './api.ts'
import { UserDialogs } from './dialogs/UserDialogs.tsx'
import type { UserDialog } from './UserActs.tsx'
import { labels, UserFields } from './UserFields.tsx'

export default function UserCreateScreen() {
  const navigate = useNavigate()
  const [made, setMade] = useState<UserDialog>()
  const [byLink, setByLink] = useState(true)
  const toList = () => void navigate({ to: '/users' })
  const form = useCallForm(usersApi.create, {
    initial: {
      firstName: '',
      lastName: '',
      username: '',
      email: '',
      departmentId: null as number | null,
      roleId: null as number | null,
      isAdmin: false,
      password: '',
    },
    labels,
    onDone: ({ link, ...user }) => {
      void readAgain(['users', 'roles', 'departments'])
      toast.success(`${user.name} has an account`)
      if (link) setMade({ kind: 'link', user, link })
      else toList()
    },
  })
  const { firstName, lastName, username, email } = form.values
  const unready = !byLink && form.values.password === ''
  return (
    <form {...form.form} className={css.form}>
      <Screen scroll={false}>
        <div className={css.body}>
          <Stack gap={18} maw={640}>
            <FormNotes form={form} nothing="Nothing was created." />
            <UserFields
              text={form.text}
              role={form.field('roleId')}
              department={form.field('departmentId')}
              admin={form.field('isAdmin')}
            />
            <Radio.Group
              label="How they sign in first"
              value={byLink ? 'link' : 'password'}
              onChange={(value) => {
                setByLink(value === 'link')
                form.set('password', '')
              }}
            >
              <Stack gap={8} mt={6}>
                <Radio
                  value="link"
                  label="By a link"
                  description="You get it once, and send it to them; they choose a password"
                />
                <Radio
                  value="password"
                  label="By a first password"
                  description="You choose it; they have to change it at once"
                />
              </Stack>
            </Radio.Group>
            {!byLink && (
              <PasswordField
                label={labels.password}
                words={[firstName, lastName, username, email]}
                {...form.field('password')}
                withAsterisk
              />
            )}
          </Stack>
        </div>
      </Screen>
      <SaveBar
        left={form.wanting ?? (unready ? 'Still needed: first password' : 'The person can sign in at once.')}
        save="Create account"
        busy={form.busy}
        disabled={!form.valid || unready}
        onCancel={toList}
      />
      <UserDialogs dialog={made} close={toList} />
    </form>
  )
}
