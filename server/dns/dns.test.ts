import { afterAll, beforeAll, beforeEach } from 'vitest'
import { setAside } from '../testing/work.ts'
import './zones/testZones.ts'
import './records/testRecords.ts'
import './publications/testSyncs.ts'
import './signing/testOptions.ts'
import './testSettings.ts'
import { closeDns, openDns, t } from './testDns.ts'

// one server for all parts, because opening takes longer than the tests
beforeAll(openDns)
afterAll(closeDns)
beforeEach(() => setAside(t.app.db))
