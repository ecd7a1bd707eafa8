import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pg from 'pg'
import { startMigratedServer } from '../../checks/src/migrated-database.ts'
import { readConfig } from '../../apps/api/src/platform/config.ts'
import { createLog } from '../../apps/api/src/platform/log.ts'
import { createServices } from '../../apps/api/src/platform/services.ts'
import { workImport } from '../../apps/api/src/features/imports/imports.jobs.ts'
import { storeFile, lookAt } from '../../apps/api/src/features/imports/imports.upload.jobs.ts'
import { insertImport, updateImport } from '../../apps/api/src/features/imports/imports.queries.ts'
import { fileKeys } from '../../apps/api/src/features/imports/imports.file.jobs.ts'
import {readFileSync} from 'node:fs'
const cpu=async(admin:any)=>{const {rows}=await admin.query("select pid from pg_stat_activity where usename='app_worker'");let t=0;for(const r of rows){try{const f=readFileSync('/proc/'+r.pid+'/stat','utf8').split(') ')[1].split(' ');t+=Number(f[11])+Number(f[12])}catch{}}return t/100}
const N=Number(process.argv[2]??50000)
const s=await startMigratedServer()
try{
 const u=new URL(s.adminUrl);u.pathname='/'+s.database
 const admin=new pg.Client({connectionString:u.toString()});admin.on('error',()=>{});await admin.connect()
 const org=(await admin.query(`select app.found_organisation('x','x',null,null) id`)).rows[0].id
 const acc=(await admin.query(`insert into app.accounts(org_id,issuer,subject,status,idp_roles) values($1,'i','s','active','{org-admin}') returning id`,[org])).rows[0].id
 await admin.query(`insert into app.chapters(org_id,name,code) values ($1,'Root','ROOT')`,[org])
 await admin.query(`insert into app.chapters(org_id,name,code,parent_id) select $1,'C'||i,'C'||i,(select id from app.chapters where org_id=$1 and code='ROOT') from generate_series(1,400) i`,[org])
 await admin.query(`alter database guildhall_template set track_functions='all'`);u.username='app_worker';u.password=s.password
 const config=readConfig({NODE_ENV:'test',DATABASE_URL:u.toString(),WORKER_DATABASE_URL:u.toString(),ACTOR_KEY:s.actorKey,ISSUER:'http://localhost:1',CLIENT_ID:'x',PROJECT_RESOURCE_ID:'y',FILES_DIR:await mkdtemp('/tmp/imp/f-'),SIGN_UP:'invite',LOG_LEVEL:'warn'})
 const services=createServices(config,createLog('warn'))
 const head='member_no,first_name,last_name,email,phone,birthday,city,chapter_code,member_since,party\n'
 function* gen(){yield head;for(let i=0;i<N;i+=1000){let b='';for(let j=i;j<Math.min(N,i+1000);j++)b+=`M${j},Given${j%997},Family${j%7919},p${j}@example.org,+4930${1000000+j},19${50+j%50}-0${1+j%9}-1${j%9},Town ${j%300},C${1+j%400},20${10+j%15}-03-01,${['Red','Blue','Green'][j%3]}\n`;yield b}}
 const delay=monitorEventLoopDelay({resolution:10});delay.enable()
 const base=process.memoryUsage().rss;let peak=0;const t=setInterval(()=>{peak=Math.max(peak,process.memoryUsage().rss)},100)
 const actor={orgId:org,accountId:acc,idpRoles:['org-admin']}
 for(let round=0;round<(process.argv[3]?Number(process.argv[3]):2);round++){
  const id=randomUUID()
  const st=await storeFile(services.files,id,Readable.from(gen(),{objectMode:false}),2e9)
  if(st.sniffed.type!=='csv')throw new Error('no')
  const l=await lookAt(services.files,id,'people',st.sniffed,{})
  await services.database.asActor(actor,async d=>{await insertImport(d,org,acc,{id,kind:'people',fileName:'p.csv',fileSize:st.size,fileHash:st.hash,fileKey:fileKeys(id).source,format:l.format,mapping:l.mapping,preview:l.preview,options:{matchBy:[],onNew:'create',onMatch:'update',tag:'T',defaultChapterId:null,defaultStartsOn:null,phoneCountry:null}});await updateImport(d,org,id,{status:'checking'})})
  for(const phase of ['check','run'] as const){
   if(phase==='run')await services.database.asActor(actor,d=>updateImport(d,org,id,{status:'running'}))
   const a=performance.now(); let last=a; const c0=await cpu(admin), n0=process.cpuUsage()
   await workImport(services,{orgId:org,accountId:acc,importId:id,phase},new AbortController().signal,{onProgress:(d)=>{if(process.env.V&&d%5000===0){console.log(d,((performance.now()-last)/1000).toFixed(1));last=performance.now()}}})
   const r=(await admin.query('select status,counts,error from app.imports where id=$1',[id])).rows[0]
   const n1=process.cpuUsage(n0);console.log('CPU pg',(await cpu(admin)-c0).toFixed(1),'node',((n1.user+n1.system)/1e6).toFixed(1));console.log(phase,((performance.now()-a)/1000).toFixed(1)+' s',JSON.stringify(r.counts[phase]),r.status,r.error??'','rss +'+((peak-base)/1e6).toFixed(0)+' MB','loop p99',(delay.percentile(99)/1e6).toFixed(0),'max',(delay.max/1e6).toFixed(0)); delay.reset()
  }
 }
 if(process.env.UNDO){ const id=(await admin.query(`select id from app.imports order by created_at limit 1`)).rows[0].id
  await services.database.asActor(actor,d=>updateImport(d,org,id,{status:'undoing'}))
  const a=performance.now();await workImport(services,{orgId:org,accountId:acc,importId:id,phase:'undo'},new AbortController().signal)
  console.log('undo',((performance.now()-a)/1000).toFixed(1),JSON.stringify((await admin.query('select status,counts,error from app.imports where id=$1',[id])).rows[0]),(await admin.query('select count(*) from app.people')).rows[0],(await admin.query('select count(*) from app.tags')).rows[0])}
 if(process.env.F){const q=await admin.query('select schemaname||$1||funcname f,calls,round(total_time::numeric) tot,round(self_time::numeric) self from pg_stat_user_functions order by self_time desc limit 25',['.']);console.table(q.rows)}
 clearInterval(t);await services.close();await admin.end()
}catch(e){console.log(e)}finally{await s.stop()}
process.exit(0)
