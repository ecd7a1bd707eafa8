import type pg from 'pg'
import { instantOf } from './days.ts'
import { drawnId, idOf } from './random.ts'
import type { World } from './world.ts'

type DemoField = {
  recordType: 'people' | 'chapters' | 'groups'
  key: string
  label: string
  type: string
  help?: string
  section: string
  audience: string
  own?: boolean
  searchable?: boolean
  choices?: readonly (readonly [label: string, color: string])[]
  /** How many of sixteen records have a value, and it, in terms of `n`, a number drawn for the record, and `choices`. */
  share: number
  value: string
}

const oneOf = `choices[1 + n % cardinality(choices)]`

const demoFields: readonly DemoField[] = [
  {
    recordType: 'people', key: 't_shirt_size', label: 'T-shirt size', type: 'choice', section: 'Events', audience: 'self', own: true,
    choices: [['XS', 'gray'], ['S', 'gray'], ['M', 'gray'], ['L', 'gray'], ['XL', 'gray'], ['XXL', 'gray']], share: 10, value: oneOf,
  },
  {
    recordType: 'people', key: 'languages', label: 'Languages', type: 'choices', section: 'Skills', audience: 'everyone', own: true,
    choices: [['English', 'blue'], ['French', 'brand'], ['German', 'amber'], ['Spanish', 'red'], ['Portuguese', 'green']], share: 7, value: oneOf,
  },
  {
    recordType: 'people', key: 'volunteer_hours', label: 'Volunteer hours last year', type: 'number', section: 'Skills', audience: 'officers',
    share: 6, value: "(n % 90)::text",
  },
  {
    recordType: 'people', key: 'expertise', label: 'Expertise', type: 'text', help: 'What others may ask about.', section: 'Skills', audience: 'everyone',
    own: true, searchable: true, share: 5,
    value: `(array['Grant writing', 'Wood conservation', 'Event photography', 'Tax law', 'Beekeeping', 'Sign language', 'Web design', 'Local history'])[1 + n % 8]`,
  },
  {
    recordType: 'chapters', key: 'meeting_room', label: 'Meeting room', type: 'text', help: 'Where the chapter usually meets.', section: '',
    audience: 'everyone', share: 12, value: `(array['Town library', 'Town hall', 'Community centre', 'Café on the square'])[1 + n % 4]`,
  },
  {
    recordType: 'groups', key: 'handover_due', label: 'Handover due', type: 'date', section: '', audience: 'officers', share: 8,
    value: `(date '2027-01-01' + n % 300)::text`,
  },
] // prettier-ignore

/** Streams of draws of the fields and their choices. */
const [fieldStream, choiceStream] = [900, 901]
const records = { people: 'person_id', chapters: 'chapter_id', groups: 'group_id' } as const

/** Fields of the organisation with values; what triggers would derive is said here. Answers how many rows. */
export async function addFields(client: pg.Client, world: World): Promise<number> {
  let count = 0
  let choiceNo = 0
  for (const [place, field] of demoFields.entries()) {
    const at = instantOf(world.today - 400, 36_000)
    const id = idOf(world.seed, fieldStream, place, Date.parse(at))
    const {
      recordType,
      key,
      label,
      type,
      help = '',
      section,
      audience,
      own = false,
      searchable = false,
      choices = [],
      share,
      value,
    } = field
    await client.query(
      `insert into app.fields (org_id, id, record_type, key, label, type, help, section, audience, own_editable, searchable, place, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
      [world.orgId, id, recordType, key, label, type, help, section, audience, own, searchable, place + 1, at],
    )
    const ids: string[] = []
    for (const [nth, [name, color]] of choices.entries()) {
      const choice = idOf(world.seed, choiceStream, choiceNo++, Date.parse(at))
      ids.push(choice)
      await client.query('insert into app.field_choices (org_id, field_id, id, label, color, place) values ($1, $2, $3, $4, $5, $6)', [
        world.orgId,
        id,
        choice,
        name,
        color,
        nth,
      ])
    }
    const open = recordType === 'people' ? `and r.lifecycle not in ('deceased', 'merged', 'erased')` : ''
    const { rowCount } = await client.query(
      `insert into app.${recordType}_field_values (org_id, id, ${records[recordType]}, field_id, slot, value, key, is_text)
       select r.org_id, ${drawnId('r.id::text || $2')}, r.id, $2::uuid, case when $3 = 'choices' then x.value else '' end, x.value, app.field_key($3, x.value), $3 in ('text', 'url')
       from app.${recordType} r cross join lateral (select get_byte(uuid_send(md5(r.id::text || $2)::uuid), 15) as drawn) d
       cross join lateral (select ${value} as value from (select get_byte(uuid_send(md5(r.id::text || $2)::uuid), 14) as n, $4::text[] as choices) w) x
       where r.org_id = $1 and d.drawn % 16 < $5 ${open}`,
      [world.orgId, id, type, ids, share],
    )
    count += 1 + choices.length + (rowCount ?? 0)
  }
  return count
}
