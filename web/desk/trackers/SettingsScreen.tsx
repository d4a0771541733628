import { Stack } from '@mantine/core'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { Assignees } from './Assignees.tsx'
import { settingsApis } from './api.ts'
import { FileRules } from './FileRules.tsx'
import { SettingsOfKind } from './SettingsOfKind.tsx'
import { TrackerLinks } from './TrackerLinks.tsx'
import { useTracker } from './trackerInfo.ts'

/** Statuses, priorities, components, folders, departments and the rules for files of a tracker. */
export default function SettingsScreen() {
  const tracker = useTracker()
  return (
    <Screen actions={<TrackerLinks tracker={tracker} here="settings" />}>
      <Together key={tracker}>
        <Stack gap={16} maw={820}>
          {settingsApis[tracker].map(({ kind, title, api }) => (
            <SettingsOfKind key={`${tracker} ${kind}`} tracker={tracker} kind={kind} title={title} api={api} />
          ))}
          {tracker === 'ticket' && <Assignees />}
          <FileRules key={tracker} tracker={tracker} />
        </Stack>
      </Together>
    </Screen>
  )
}
