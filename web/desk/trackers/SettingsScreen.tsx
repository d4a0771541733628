import { Stack } from '@mantine/core'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { Assignees } from './Assignees.tsx'
import { settingsApis } from './api.ts'
import { FaceLinks } from './FaceLinks.tsx'
import { FileRules } from './FileRules.tsx'
import { useFace } from './faces.ts'
import { SettingsOfKind } from './SettingsOfKind.tsx'

/** Statuses, priorities, components, folders, departments and the rules for files of a face. */
export default function SettingsScreen() {
  const face = useFace()
  return (
    <Screen actions={<FaceLinks face={face} here="settings" />}>
      <Together key={face}>
        <Stack gap={16} maw={820}>
          {settingsApis[face].map(({ kind, title, api }) => (
            <SettingsOfKind key={`${face} ${kind}`} face={face} kind={kind} title={title} api={api} />
          ))}
          {face === 'ticket' && <Assignees />}
          <FileRules key={face} face={face} />
        </Stack>
      </Together>
    </Screen>
  )
}
