import { documentOf } from '@guildhall/contract/formatted-document'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { everybody, giveRights, partOf, places as whereabouts } from '@guildhall/db/cast-testing'
import type { OrgName, PlaceName, Principal } from '@guildhall/db/cast-testing'
import { startPaymentCompanion } from '@guildhall/dev/payment-companion'
import { copyTemplate } from '@guildhall/db/testing'
import type pg from 'pg'
import { inject } from 'vitest'
import { createLog } from '../src/platform/observability/log.ts'
import { makeOrganisation, startWorld, stopWorld } from '../src/testing.ts'
import type { TestOrganisation, World } from '../src/testing.ts'
import { startJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { areaRows } from './rights/areas.ts'
import { ownPledge } from './rights/areas/fundraising.ts'
import { ownRelationship } from './rights/areas/relationships.ts'
import { alertsOf } from './rights/areas/integrations/metrics.ts'
import { reportsOf } from './rights/areas/reports.ts'
import { tokenFromId } from '../src/platform/links/signed-links.ts'
import { canaryOf, marked } from './rights/canaries.ts'
import type { Kind } from './rights/canaries.ts'
import { invitationToken } from './rights/line.ts'

/** Rows of one place by the name that an operation's parameter has. A parameter of another name says in its policy line which of these it means. */
export type Rows = Record<string, string>
export type Caller = { principal: Principal; orgId: string; token: string | null; accountId: string | null; own: Rows; home: PlaceName }

export type Stage = {
  world: World
  journal: Journal
  places: Record<PlaceName, Rows>
  callers: Record<Principal, Caller>
  /** The version each row has as the curtain rises. */
  versions: Map<string, number>
  logged: string[]
  end(): Promise<void>
}

type Org = TestOrganisation & { name: OrgName; roles: Record<string, string> }

/**
 * Two organisations on a database of their own: ours with two chapters side by side and one below, another with one. In each place stands one
 * of everything, and in every text a canary that names its kind and place.
 */
export async function setStage(name: string): Promise<Stage> {
  const database = await copyTemplate(inject('testServer'), name)
  const logged: string[] = []
  const slug = randomUUID()
  const log = createLog('info', { write: (line: string) => logged.push(line) } as unknown as NodeJS.WritableStream)
  const paymentsDir = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  const payments = await startPaymentCompanion({ port: 0, dataDir: paymentsDir, webhookUrl: 'http://127.0.0.1:9/' })
  payments.events.hold(true)
  const byCard = { STRIPE_SECRET_KEY: payments.secretKey, STRIPE_WEBHOOK_SECRET: payments.webhookSecret, STRIPE_API_URL: payments.url }
  const world = await startWorld(database, { ORG_ID: slug, LOG_LEVEL: 'info', RECORDING: 'on', ...byCard }, log)
  const { admin } = world
  const orgs = { ours: await organisation(admin, 'ours', slug), foreign: await organisation(admin, 'foreign', randomUUID()) }
  const { ours } = orgs
  const set = scenery(world)
  const places: Record<PlaceName, Rows> = { west: {}, below: {}, east: {}, foreign: {} }
  for (const at of ['west', 'below', 'east', 'foreign'] as const) {
    const { org, under } = whereabouts[at]
    places[at] = await set.place(orgs[org], at, under ? (places[under]['chapterId'] ?? '') : orgs[org].rootChapterId)
  }
  const callers = await set.cast(orgs, places)
  await admin.query('select app.refresh_data_health($1)', [ours.id])
  const { rows } = await admin.query<{ tables: string }>(
    `select string_agg(format('select %I as id, version from app.%I', case table_name when 'organisations' then 'org_id' else 'id' end, table_name), ' union all ') as tables
     from information_schema.columns where table_schema = 'app' and column_name = 'version'`,
  )
  const versions = await admin.query<{ id: string; version: number }>(rows[0]?.tables ?? '')
  const journal = await startJournal(admin)
  return {
    world,
    journal,
    places,
    callers,
    versions: new Map(versions.rows.map(({ id, version }) => [id, version])),
    logged,
    async end() {
      await stopWorld(world)
      await payments.stop()
      await rm(paymentsDir, { recursive: true, force: true })
    },
  }
}

async function organisation(admin: pg.Pool, name: Org['name'], idpOrg: string): Promise<Org> {
  const org = await makeOrganisation(admin)
  await admin.query('update app.organisations set idp_org_id = $2 where org_id = $1', [org.id, idpOrg])
  const { rows } = await admin.query<{ key: string; id: string }>('select key, id from app.roles where org_id = $1', [org.id])
  return { ...org, name, roles: Object.fromEntries(rows.map(({ key, id }) => [key, id])) }
}

function scenery({ app, admin, issuer, services }: World) {
  async function add(table: string, row: Record<string, unknown>): Promise<string> {
    const columns = Object.keys(row)
    const values = columns.map((_, index) => `$${index + 1}`)
    const { rows } = await admin.query<{ id?: string }>(
      `insert into app.${table} (${columns.join(', ')}) values (${values.join(', ')}) returning *`,
      Object.values(row),
    )
    return rows[0]?.id ?? ''
  }

  const keep = (key: string, content: string | Buffer) => services.files.write(key, Readable.from([Buffer.from(content)]))
  async function picture(org: Org, recordType: string, recordId: string): Promise<string> {
    const more = { use: 'picture', name: 'Picture.webp', type: 'image/webp', bytes: 1, created_by: randomUUID() }
    const id = await add('files', { org_id: org.id, record_type: recordType, record_id: recordId, ...more })
    for (const size of ['small', 'large']) await keep(`files/${org.id}/${id}/${size}`, 'x')
    return id
  }
  async function fileOn(org: Org, chapterId: string, at: string, more: Record<string, unknown> = {}): Promise<string> {
    const kept = { use: 'attachment', type: 'text/plain', bytes: 1, created_by: randomUUID(), ...more }
    const id = await add('files', {
      org_id: org.id,
      record_type: 'chapter',
      record_id: chapterId,
      name: `${canaryOf('file', at)}.txt`,
      ...kept,
    })
    await keep(`files/${org.id}/${id}/content`, canaryOf('file', at))
    return id
  }

  let numbers = 0
  /** A person with everything, each text marked. */
  async function person(org: Org, chapterId: string, at: string, marked: Partial<Record<'name' | 'contact' | 'private', Kind>> = {}) {
    const { name = 'directory', contact = 'contact', private: secret = 'private' } = marked
    const orgId = org.id
    const id = await add('people', { org_id: orgId, given_name: 'Kim', family_name: canaryOf(name, at), employer: canaryOf(name, at) })
    const membershipId = await add('affiliations', {
      org_id: orgId,
      person_id: id,
      chapter_id: chapterId,
      starts_on: '2020-01-01',
      is_primary: true,
    })
    numbers += 1
    const one = { org_id: orgId, person_id: id }
    const emailId = await add('person_emails', { ...one, address: `${canaryOf(contact, at)}@example.org`, is_primary: true })
    const phoneId = await add('person_phones', {
      ...one,
      number: `+49301234${1000 + numbers}`,
      is_primary: true,
      label: canaryOf(contact, at),
    })
    await add('person_contacts', { ...one, street: canaryOf(contact, at), city: 'Lyon' })
    await add('person_private', { ...one, birth_date: name === 'minor' ? '2020-05-05' : '1980-05-05', gender: canaryOf(secret, at) })
    await add('person_office_notes', { ...one, note: canaryOf('officeNote', at) })
    const pictureId = await picture(org, 'person', id)
    await card(org, id)
    await add('person_external_ids', { ...one, system: 'civicrm', external_id: `${canaryOf('externalId', at)}-${numbers}` })
    return { personId: id, membershipId, emailId, phoneId, pictureId }
  }

  /** An event that somebody was at, and is asked about. */
  async function surveyed(org: Org, personId: string, chapterId: string): Promise<string> {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const over = { starts_at: ago(3), ends_at: ago(1), published_at: ago(48), timezone: 'Europe/Berlin', venue_name: 'Hall' }
    const at = { org_id: org.id, chapter_id: chapterId }
    const eventId = await add('events', { ...at, ...over, title: 'Evening that was', status: 'published' })
    await add('event_surveys', { org_id: org.id, event_id: eventId })
    const seat = { person_id: personId, name: 'Kim', status: 'confirmed', cause: 'registered', source: 'import', confirmed_at: ago(24) }
    await add('registrations', { ...at, ...seat, event_id: eventId, price_amount: 0, price_currency: 'EUR' })
    return eventId
  }

  async function invited(org: Org, personId: string, chapterId: string): Promise<string> {
    const when = { starts_at: '2090-05-10T18:00:00Z', ends_at: '2090-05-10T20:00:00Z', timezone: 'Europe/Berlin', venue_name: 'Hall' }
    const eventId = await add('events', {
      ...{ org_id: org.id, chapter_id: chapterId, title: 'Evening to come', status: 'published', published_at: new Date() },
      ...when,
    })
    await add('event_invitations', { org_id: org.id, event_id: eventId, person_id: personId })
    return eventId
  }

  async function card(org: Org, personId: string): Promise<void> {
    const cardId = await add('member_cards', { org_id: org.id, person_id: personId, valid_until: '2099-01-01' })
    const token = tokenFromId(services.config.ACTOR_KEY, 'member card', { orgId: org.id, id: cardId })
    await link(org, 'cards', { subject_type: 'member_card', subject_id: cardId, single_use: false }, token)
  }

  const link = (org: Org, purpose: string, row: Record<string, unknown>, token: string) =>
    add('signed_links', {
      org_id: org.id,
      purpose,
      secret_hash: createHash('sha256').update(token).digest('hex'),
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      ...row,
    })

  /** Both kinds of tags on a person; the id of the one for officers. */
  async function tagged(org: Org, personId: string, at: string): Promise<string> {
    const carry = async (kind: 'tag' | 'memberTag', audience: 'officers' | 'members') => {
      const tagId = await add('tags', { org_id: org.id, name: canaryOf(kind, at), audience })
      await add('person_tags', { org_id: org.id, person_id: personId, tag_id: tagId })
      return tagId
    }
    await carry('memberTag', 'members')
    return carry('tag', 'officers')
  }

  async function account(org: Org, at: string, more: Record<string, unknown> = {}): Promise<{ id: string; subject: string }> {
    const subject = randomUUID()
    const id = await add('accounts', {
      org_id: org.id,
      issuer: issuer.url,
      subject,
      status: 'active',
      email: `${canaryOf('account', at)}@example.org`,
      name: canaryOf('account', at),
      ...more,
    })
    return { id, subject }
  }

  async function comment(org: Org, groupId: string, accountId: string, at: string, more: Record<string, unknown> = {}): Promise<string> {
    const { rows } = await admin.query<{ id: string }>('select person_id as id from app.accounts where id = $1', [accountId])
    const about = { org_id: org.id, record_type: 'group', record_id: groupId, author_id: rows[0]?.id, created_by: accountId }
    return add('comments', { ...about, body: JSON.stringify(documentOf(canaryOf('comment', at))), ...more })
  }

  /** Notes about a person of each visibility, and one that was deleted. */
  async function noted(org: Org, personId: string, accountId: string, at: string): Promise<Rows> {
    const about = { org_id: org.id, record_type: 'person', record_id: personId, created_by: accountId }
    const note = async (kind: 'orgNote' | 'officersNote' | 'ownNote', visibility: string, more: Record<string, unknown> = {}) =>
      add('notes', { ...about, visibility, body: JSON.stringify(documentOf(canaryOf(kind, at))), ...more })
    await note('officersNote', 'officers')
    await note('ownNote', 'self')
    const noteId = await note('orgNote', 'organisation')
    for (const [number, kind, visibility] of [
      [1, 'ownNote', 'self'],
      [2, 'officersNote', 'officers'],
      [3, 'orgNote', 'organisation'],
    ] as const) {
      const body = JSON.stringify(documentOf(canaryOf(kind, at)))
      await add('note_versions', { org_id: org.id, note_id: noteId, number, person_id: personId, created_by: accountId, visibility, body })
    }
    return { noteId, deletedNoteId: await note('orgNote', 'organisation', { deleted_at: new Date() }) }
  }

  const uploads = new Map<string, Record<string, unknown>>()
  /** The row that an upload of today makes, as the pattern of all others. */
  async function uploaded(org: Org): Promise<Record<string, unknown>> {
    const known = uploads.get(org.id)
    if (known) return known
    const { rows: settings } = await admin.query<{ idp: string }>('select idp_org_id as idp from app.organisations where org_id = $1', [
      org.id,
    ])
    const owner = await account(org, org.name)
    await add('grants', { org_id: org.id, account_id: owner.id, role_id: org.roles['org-owner'], scope_kind: 'org' })
    const token = await issuer.sign({ sub: owner.subject, 'urn:zitadel:iam:user:resourceowner:id': settings[0]?.idp })
    const answer = await app.inject({
      method: 'POST',
      url: '/actions/imports/people',
      headers: { authorization: `Bearer ${token}` },
      payload: { text: 'Given name,Family name\nAnn,Alpha\n' },
    })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    const { rows } = await admin.query<Record<string, unknown>>('select * from app.imports where org_id = $1', [org.id])
    const isJson = (value: unknown) => typeof value === 'object' && value !== null && !(value instanceof Date)
    const pattern = Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([key, value]) => [key, isJson(value) ? JSON.stringify(value) : value]),
    )
    uploads.set(org.id, pattern)
    return pattern
  }

  /** What belongs to whoever made it. */
  async function belongings(org: Org, accountId: string, at: string): Promise<Rows> {
    const one = { org_id: org.id, account_id: accountId }
    const spec = JSON.stringify({ q: 'a' })
    const work = { ...one, title: canaryOf('job', at), status: 'done', started_at: new Date(), finished_at: new Date() }
    const exportJob = await add('job_progress', { ...work, kind: 'export' })
    const viewId = await add('saved_views', { ...one, list: 'people', name: canaryOf('view', at), spec })
    const running = { status: 'running', finished_at: null }
    const exported = (jobId: string, more: Record<string, unknown>) =>
      add('exports', {
        ...one,
        list: 'people',
        format: 'csv',
        spec: JSON.stringify({ list: 'people', format: 'csv', columns: ['displayName'], selection: { all: {}, except: [] } }),
        reason: canaryOf('export', at),
        job_id: jobId,
        ...more,
      })
    const exportId = await exported(exportJob, { file_key: `exports/${accountId}`, rows: 1 })
    const runningExportId = await exported(await add('job_progress', { ...work, ...running, kind: 'export' }), {})
    await keep(`exports/${accountId}`, canaryOf('export', at))
    const imported = async (status: string, more: Record<string, unknown> = {}) => {
      const { id: _id, version: _version, ...upload } = await uploaded(org)
      const name = `${canaryOf('import', at)}.csv`
      const id = await add('imports', { ...upload, created_by: accountId, file_name: name, file_hash: randomUUID(), status, ...more })
      const rows = 'Given name,Family name\nAnn,Alpha\n'
      await keep(`imports/${id}/source`, rows)
      await keep(`imports/${id}/errors.csv`, rows)
      return id
    }
    const bulk = JSON.stringify({
      request: { selection: { ids: [randomUUID()] }, change: { do: 'lifecycle', lifecycle: 'alumni' } },
      counts: { matched: 1, changed: 1, unchanged: 0, refused: 0 },
    })
    const counted = JSON.stringify({ create: 1, update: 0, unchanged: 0, skip: 0, reject: 0 })
    return {
      ...(await reportsOf(add, one, canaryOf('report', at))),
      ...(await alertsOf(add, one)),
      viewId,
      exportId,
      runningExportId,
      importId: await imported('uploaded'),
      checkedImportId: await imported('checked', { rows_total: 1, counts: JSON.stringify({ check: JSON.parse(counted) }) }),
      runningImportId: await imported('running', {
        rows_total: 1,
        run_job_id: await add('job_progress', { ...work, status: 'running', kind: 'import_run' }),
      }),
      doneImportId: await imported('done', {
        rows_total: 1,
        counts: JSON.stringify({ run: JSON.parse(counted) }),
        finished_at: new Date(),
      }),
      mappingId: await add('import_mappings', {
        org_id: org.id,
        kind: 'people',
        name: canaryOf('mapping', at),
        mapping: JSON.stringify({ headers: ['a'], targets: ['givenName'] }),
        created_by: accountId,
      }),
      jobId: await add('job_progress', { ...work, kind: 'bulk', result: bulk }),
      runningJobId: await add('job_progress', { ...work, ...running, kind: 'bulk', result: bulk }),
    }
  }

  async function place(org: Org, at: PlaceName, parentId: string): Promise<Rows> {
    const orgId = org.id
    const chapterId = await add('chapters', { org_id: orgId, parent_id: parentId, name: canaryOf('chapter', at), code: `c-${at}` })
    const emptyChapterId = await add('chapters', { org_id: orgId, parent_id: chapterId, name: `Empty ${at}`, code: `e-${at}` })
    const closedChapterId = await add('chapters', {
      org_id: orgId,
      parent_id: chapterId,
      name: `Closed ${at}`,
      code: `x-${at}`,
      status: 'closed',
      closed_on: '2021-01-01',
    })
    const full = await person(org, chapterId, at)
    const blank = await person(org, chapterId, at)
    const minor = await person(org, chapterId, at, { name: 'minor', contact: 'minor', private: 'minor' })
    const archived = await person(org, chapterId, at)
    const other = await person(org, chapterId, at)
    await admin.query('update app.people set deleted_at = now() where id = $1', [archived.personId])
    // A second address that members see; its owner put it there.
    await add('person_emails', {
      org_id: orgId,
      person_id: full.personId,
      address: `${canaryOf('shown', at)}@example.org`,
      visible_to: 'members',
    })
    const tagId = await tagged(org, full.personId, at)
    const otherTagId = await add('tags', { org_id: orgId, name: `Other ${at}` })

    const office = { org_id: orgId, chapter_id: chapterId, max_holders: 5 }
    const positionId = await add('positions', { ...office, title: canaryOf('office', at) })
    const emptyPositionId = await add('positions', { ...office, title: `Empty ${at}` })
    const holderId = await add('position_holders', {
      org_id: orgId,
      position_id: positionId,
      person_id: full.personId,
      starts_on: '2020-01-01',
      note: canaryOf('term', at),
    })

    const group = async (kind: Kind, more: Record<string, unknown>) =>
      add('groups', { org_id: orgId, chapter_id: chapterId, name: canaryOf(kind, at), ...more })
    const member = (groupId: string, personId: string, more: Record<string, unknown> = {}) =>
      add('group_members', { org_id: orgId, group_id: groupId, person_id: personId, starts_on: '2020-01-01', ...more })
    const groupId = await group('group', {})
    const openGroupId = await group('openGroup', { visibility: 'public', join_policy: 'open' })
    const privateGroupId = await group('privateGroup', { visibility: 'private' })
    const secretGroupId = await group('secretGroup', { visibility: 'secret' })
    const archivedGroupId = await group('group', { archived_at: new Date() })
    for (const [record_type, record_id] of [
      ['chapter', chapterId],
      ['group', groupId],
    ])
      await add('record_tags', { org_id: orgId, record_type, record_id, tag_id: tagId })
    const memberId = await member(groupId, full.personId, { title: canaryOf('roster', at) })
    const requestId = await member(groupId, blank.personId, { status: 'requested', starts_on: null })
    await member(privateGroupId, full.personId, { title: canaryOf('privateRoster', at) })
    await member(secretGroupId, full.personId, { title: canaryOf('secretGroup', at) })

    const { id: accountId } = await account(org, at, { person_id: full.personId })
    const { id: unlinkedAccountId } = await account(org, at, { person_id: null })
    const { id: suspendedAccountId } = await account(org, at, { status: 'suspended' })
    const { id: invitedAccountId } = await account(org, at, { status: 'invited', issuer: null, subject: null })
    if (at === 'west')
      await link(org, 'invitations', { subject_type: 'account', subject_id: invitedAccountId, single_use: true }, invitationToken)
    const { id: waitingAccountId } = await account(org, at, { status: 'pending_link' })
    const commentId = await comment(org, groupId, accountId, at)
    const hiddenCommentId = await comment(org, groupId, accountId, at, { hidden_at: new Date(), hidden_reason: 'Off topic' })
    const deletedCommentId = await comment(org, groupId, accountId, at, { deleted_at: new Date() })
    const notes = await noted(org, full.personId, accountId, at)
    const grant = { org_id: orgId, account_id: accountId, scope_kind: 'chapter', chapter_id: chapterId, starts_on: '2020-01-01' }
    const grantId = await add('grants', { ...grant, role_id: org.roles['event-manager'], reason: canaryOf('grant', at) })
    const mail = { org_id: orgId, template: 'notification', account_id: accountId, essential: false, subject: canaryOf('mail', at) }
    const mailId = await add('mail_messages', mail)
    const failedMailId = await add('mail_messages', { ...mail, state: 'failed', settled_at: new Date() })
    const messageId = await add('contact_messages', {
      org_id: orgId,
      reference: `R-${at}`,
      name: 'A',
      email: 'a@example.org',
      topic: 'T',
      message: canaryOf('message', at),
    })
    await add('reports', {
      org_id: orgId,
      account_id: accountId,
      name: canaryOf('sharedReport', at),
      question: JSON.stringify({ kind: 'standard', report: 'chapters', chapterId: null, range: null, compare: false, asOf: null }),
      shared_with: 'organisation',
    })
    await add('saved_views', {
      org_id: orgId,
      account_id: accountId,
      list: 'people',
      name: canaryOf('sharedView', at),
      spec: '{}',
      shared_with: 'organisation',
    })
    const recordingId = randomUUID()
    const events = JSON.stringify([{ type: 4, timestamp: 1_795_000_000_000, data: { href: canaryOf('recording', at) } }])
    await add('recording_parts', { org_id: orgId, recording_id: recordingId, part: 0, account_id: accountId, events })
    // Fields of the organisation, one that everybody reads and one for officers, with values of the person.
    const field = async (key: string, more: Record<string, unknown>) =>
      add('fields', { org_id: orgId, record_type: 'people', key: `${key}_${at}`, type: 'text', ...more })
    const value = (fieldId: string, of: string) =>
      add('people_field_values', { org_id: orgId, person_id: full.personId, field_id: fieldId, value: of })
    const fieldId = await field('choice', { label: canaryOf('openField', at), type: 'choice', audience: 'everyone' })
    const choice = (label: string) => add('field_choices', { org_id: orgId, field_id: fieldId, label })
    const choiceId = await choice(canaryOf('openField', at))
    const otherChoiceId = await choice('Other')
    await value(fieldId, choiceId)
    await value(await field('open', { label: 'Open', audience: 'everyone' }), canaryOf('directory', at))
    await value(await field('kept', { label: 'Kept', audience: 'officers' }), canaryOf('keptValue', at))
    const emptyFieldId = await field('empty', { label: 'Empty' })
    const ofAreas: Rows = {}
    const people = { personId: full.personId, blankPersonId: blank.personId, otherPersonId: other.personId }
    for (const rows of areaRows) {
      const found = await rows({
        add,
        run: (statement, values) => admin.query(statement, values),
        orgId,
        chapterId,
        people,
        canary: (kind) => marked(kind, at),
      })
      const twice = Object.keys(found).filter((name) => Object.hasOwn(ofAreas, name))
      if (twice.length > 0) throw new Error(`two areas have a row called ${twice.join(', ')}`)
      Object.assign(ofAreas, found)
    }
    return {
      ...full,
      fieldId,
      choiceId,
      otherChoiceId,
      emptyFieldId,
      ...ofAreas,
      ...notes,
      fileId: await fileOn(org, chapterId, at),
      removedFileId: await fileOn(org, chapterId, at, { removed_at: new Date() }),
      ...(await belongings(org, accountId, at)),
      recordingId,
      blankPersonId: blank.personId,
      minorPersonId: minor.personId,
      archivedPersonId: archived.personId,
      otherPersonId: other.personId,
      joinedGroupId: openGroupId,
      orgId,
      chapterId,
      emptyChapterId,
      closedChapterId,
      rootChapterId: org.rootChapterId,
      tagId,
      otherTagId,
      positionId,
      emptyPositionId,
      holderId,
      groupId,
      openGroupId,
      privateGroupId,
      secretGroupId,
      archivedGroupId,
      memberId,
      commentId,
      hiddenCommentId,
      deletedCommentId,
      requestId,
      accountId,
      unlinkedAccountId,
      suspendedAccountId,
      waitingAccountId,
      invitedAccountId,
      grantId,
      mailId,
      failedMailId,
      messageId,
      roleId: org.roles['event-manager'] ?? '',
      customRoleId: await add('roles', { org_id: orgId, key: `custom-${at}`, name: `Custom ${at}`, custom: true }),
    }
  }

  async function cast(orgs: Record<OrgName, Org>, places: Record<PlaceName, Rows>): Promise<Record<Principal, Caller>> {
    const chapter = (at: PlaceName) => places[at]['chapterId'] ?? ''
    const chapters = { west: chapter('west'), below: chapter('below'), east: chapter('east'), foreign: chapter('foreign') }
    const tokenOf = async (org: Org, subject: string, idpRoles: readonly string[] = []) => {
      const { rows } = await admin.query<{ idp: string }>('select idp_org_id as idp from app.organisations where org_id = $1', [org.id])
      const idp = rows[0]?.idp ?? ''
      return issuer.sign({
        sub: subject,
        'urn:zitadel:iam:user:resourceowner:id': idp,
        'urn:zitadel:iam:org:project:guildhall-test:roles': Object.fromEntries(idpRoles.map((role) => [role, { [idp]: 'test' }])),
      })
    }
    async function play(principal: Principal): Promise<Caller> {
      const part = partOf(principal)
      const org = orgs[part.org ?? 'ours']
      const home = part.lives ?? 'west'
      if (!part.account) {
        const token = principal === 'anonymous' ? null : await tokenOf(org, randomUUID())
        return { principal, orgId: org.id, token, accountId: null, own: {}, home }
      }
      const own: Rows = part.lives ? await person(org, chapters[home], principal) : {}
      if (own['personId']) await tagged(org, own['personId'], principal)
      const { id, subject } = await account(org, principal, {
        person_id: own['personId'] ?? null,
        idp_roles: part.idpRoles ?? [],
        status: part.status ?? 'active',
      })
      await giveRights(admin, principal, {
        orgId: org.id,
        accountId: id,
        personId: own['personId'] ?? null,
        chapters,
        leads: part.leads ? [places[part.leads]['groupId'] ?? '', places[part.leads]['archivedGroupId'] ?? ''] : [],
        reason: canaryOf('grant', principal),
      })
      const token = await tokenOf(org, subject, part.idpRoles)
      if (own['personId']) {
        own['joinedGroupId'] = await add('groups', {
          org_id: org.id,
          chapter_id: chapters[home],
          name: `Choir of ${principal}`,
          visibility: 'secret',
        })
        await add('group_members', { org_id: org.id, group_id: own['joinedGroupId'], person_id: own['personId'], starts_on: '2020-01-01' })
        // The stage’s own account in West wrote them: one’s own note about oneself cannot be.
        Object.assign(own, await noted(org, own['personId'], places[home]['accountId'] ?? id, principal))
        own['methodId'] = await add('payment_methods', {
          ...{ org_id: org.id, person_id: own['personId'], provider_customer: 'cus_own', provider_method: `pm_${principal}` },
          ...{ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
        })
        own['transferId'] = await add('transfers', {
          ...{ org_id: org.id, person_id: own['personId'], from_chapter_id: chapters[home] },
          ...{ to_chapter_id: places[home]['targetChapterId'], moves_on: '2099-12-31', note: canaryOf('membership', principal) },
        })
        Object.assign(
          own,
          await ownPledge((statement, values) => admin.query(statement, values), {
            ...{ orgId: org.id, chapterId: chapters[home], personId: own['personId'], fundId: places[home]['fundId'] ?? '' },
          }),
        )
        own['relationshipId'] = await ownRelationship((statement, values) => admin.query(statement, values), {
          ...{ orgId: org.id, personId: own['personId'], otherPersonId: places[home]['otherPersonId'] ?? '' },
          note: canaryOf('relationship', principal),
        })
        own['surveyEventId'] = await surveyed(org, own['personId'], chapters[home])
        own['invitedEventId'] = await invited(org, own['personId'], chapters[home])
        own['commentId'] = await comment(org, own['joinedGroupId'], id, principal)
        own['deletedCommentId'] = await comment(org, own['joinedGroupId'], id, principal, { deleted_at: new Date() })
      }
      return {
        principal,
        orgId: org.id,
        token,
        accountId: id,
        own: {
          ...own,
          ...(own['personId'] ? { chosenTopicId: places[home]['chosenTopicId'] ?? '' } : {}),
          accountId: id,
          ...(await belongings(org, id, principal)),
        },
        home,
      }
    }
    return everybody(play)
  }
  return { place, cast }
}
