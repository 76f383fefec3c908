import groovy.json.JsonOutput
import groovy.json.JsonSlurper

def data = [rank: rank, round: round, items: (1..20).collect { [id: it, name: "item $it", tags: ['a', 'b'] * (it % 3)] }]
def text = JsonOutput.toJson(data)
def back = new JsonSlurper().parseText(text)
def builder = new StringBuilder()
back.items.groupBy { it.tags.size() }.each { size, items ->
    builder << "$size:${items*.id.sum()};"
}
use(groovy.time.TimeCategory) {
    builder << (3.days + 2.hours).toMilliseconds()
}
def pattern = ~/item (\d+)/
builder << back.items.collect { (it.name =~ pattern)[0][1] as int }.sum()
switch (rank) {
    case 0..1: builder << 'low'; break
    case { it > 1 }: builder << 'high'; break
}
builder.toString()
