import './jitless.ts'
import './mantine.css'
import './base.css'
import './controls.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { Gate } from './Gate.tsx'
import { Hosts } from './kit/dialogs/Hosts.tsx'
import { keepFocus } from './kit/frame/keepFocus.ts'
import { keepStylesheets } from './kit/frame/stylesheets.ts'
import { colourScheme } from './kit/look/colourScheme.ts'
import { theme } from './theme.ts'
import { cssVariablesResolver } from './variables.ts'

keepFocus()
keepStylesheets()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={colourScheme}
    defaultColorScheme="auto"
  >
    <Gate />
    <Hosts />
  </MantineProvider>,
)
