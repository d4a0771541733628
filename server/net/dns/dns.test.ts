import { afterAll, beforeAll, beforeEach } from 'vitest'
import { setAside } from '../../test/work.ts'
import './zones/test/zones.ts'
import './records/test/records.ts'
import './publications/test/syncs.ts'
import './signing/test/options.ts'
import './signing/test/parents.ts'
import './test/settings.ts'
import { closeDns, openDns, t } from './test/dns.ts'

// one server for all parts, because opening takes longer than the tests
beforeAll(openDns)
afterAll(closeDns)
beforeEach(() => setAside(t.app.db))
