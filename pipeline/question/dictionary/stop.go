package dictionary

// longestStop is the longest function word of a script without spaces, in
// characters.
const longestStop = 6

// functionWords are the words of a language that mean nothing to a search, as
// keys are written: articles, pronouns, prepositions, conjunctions, auxiliary
// and question words, and politeness. Words that are often the subject of a
// technical question (all, without, before, new, first) are not among them.
func functionWords(language string) string {
	switch language {
	case "zh":
		return `的 了 吗 呢 吧 啊 嘛 呀 么 地 得 着 过 之 者 所 是 在 有 和 与 及 或 或者 并 并且 而 而且 且 但 但是 不过 然而
			我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 咱们 自己 这 那 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 此 该 其 某 某个 某些
			为 为了 因为 由于 所以 因此 于 由 对 对于 关于 把 被 将 从 向 往 到 以 以及 用于 给 跟 同 让 使 使得 令
			也 都 就 又 还 还是 再 才 只 很 太 更 最 非常 比较 不 没 没有 别 如果 若 要是 假如 的话 则 那么 虽然 即使 既 无论
			什么 什么样 怎么 怎么样 怎样 如何 为什么 为何 何 哪 哪个 哪些 哪里 哪儿 谁 几 多少 何时 什么时候 是否 能否 可否 是不是 有没有 能不能 可不可以 要不要
			能 能够 可以 可 会 应 应该 应当 需要 需 必须 要 想 想要 请 请问 麻烦 谢谢 怎么办 个 种 些 一个 一种 一些 这种 那种 每 各 等 等等 中 里 上 下 时 时候 当 之间 之后 之前 之中 其中 以后 来 去 做 进行
			上的 中的 里的 下的 一下 有些 有关 有什么 有哪些 叫 叫做 称为 即 就是 并不 不是 不能 不会 吗 哦 嗯 来说 而言 方面 不同`
	case "ja":
		return `の に は を が で と も へ や か から まで より など ね よ な だ です ます でした ました ません である だった では には とは のは のが のを ので のに への との での からの までの
			する します して した しない すれば される されます されて された させる できる できます できない できません でき いる います いて いた いない ある あります あった ない なく なかった なる なります なって なった
			この その あの どの これ それ あれ どれ ここ そこ どこ こと もの ため ため に よう ように ような として という といった について における において によって により による に対して に対する に関する
			何 なに なん なぜ どう どうして どうやって どうすれば どのように どのような いつ 誰 どちら いくつ いくら ですか ますか でしょうか ください 下さい お願いします たい たいです しまう みる おく くる いく もらう くれる また または および 及び そして しかし ただし もし なら ならば たら れば けど けれど でも しか だけ ほど くらい ぐらい さ し て た れ れる られ られる せ せる べき はず とき 時 場合 中 等 ば ん え お ご 私 あなた 的`
	case "ru":
		return `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о об из ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж кто этот того потому этого какой какая какое какие каким какой-нибудь ним здесь этом один почти мой моя мое мои тем чтобы нее сейчас были куда зачем всех можно при два об другой хоть после над больше тот через эти нас про них какая много разве эту моя впрочем свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно всю между это эта эти то та те такое такие такого также либо почему сколько который которая которое которые которого которой которых котором нужно необходимо следует могу можете можем могут хочу пожалуйста спасибо является являются мой свой своя свое свои своего своей своих ваш ваша ваше ваши наш наша наше наши`
	case "de":
		return `der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner und oder aber denn sondern doch wenn dann als ob dass weil damit während obwohl ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen meinem meiner meines dein deine sein seine seinen seinem seiner unser unsere euer eure ihre ihren ihrem ihrer
			in im an am auf aus bei beim mit nach seit von vom vor zu zum zur über unter um durch für gegen ohne bis zwischen hinter neben
			ist sind war waren bin bist seid gewesen wird werden wurde wurden worden werde hat haben hatte hatten habe hast kann können könnte könnten kannst muss müssen musst soll sollen sollte sollten darf dürfen will wollen möchte möchten mag lässt lassen man nicht auch nur noch schon sehr so mal bitte danke hier da dort dies diese dieser dieses diesen diesem jene jener jenes welche welcher welches welchen welchem wie was wer wen wem wo wann warum wieso weshalb woher wohin womit wofür wodurch worin wozu wieviel viele gibt geht etwas etwa bzw usw zb dafür dabei dazu davon darin darauf daran damit daraus hierfür dessen deren etc`
	case "fr":
		return `le la les un une des du de d l au aux à en dans sur sous par pour avec sans chez vers entre depuis pendant et ou où mais donc or ni car que qui quoi dont lequel laquelle lesquels lesquelles auquel duquel si comme quand lorsque puisque parce
			je tu il elle on nous vous ils elles me te se lui leur leurs moi toi soi eux y mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces cela ça ceci celui celle ceux celles c j m t s n qu
			est sont était étaient être été suis es sommes êtes sera seront serait ai as a avons avez ont avait avoir eu peut peuvent peux pouvoir pourrait puis-je puis dois doit doivent devoir faut fait faire font veux veut vouloir
			ne pas plus très aussi bien même comment pourquoi combien quel quelle quels quelles est-ce qu'est-ce n'est-ce s'il alors ainsi ici là tout tous toute toutes chaque autre autres quelque quelques merci svp plaît via`
	case "es":
		return `el la los las un una unos unas lo al del de a en con por para sin sobre entre hasta desde hacia según durante mediante y e o u ni pero sino que si como cuando donde cual cuales quien quienes cuyo
			yo tú él ella usted nosotros ellos ellas ustedes me te se nos os le les mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta estos estas ese esa esos esas aquel aquella esto eso aquello
			es son era eran ser sido soy eres somos fue fueron será sería está están estar estoy estaba ha han he hemos había haber hay puede pueden puedo podemos poder podría debe deben debo deber debería tiene tienen tengo tener hace hacer hago quiero quiere querer necesito
			no sí ya muy más también tan así cómo qué cuál cuáles cuándo dónde cuánto cuánta cuántos cuántas porqué quién algún alguna algunos algunas otro otra otros otras cada mismo misma todo toda todos todas gracias favor aquí allí vía`
	}
	return ""
}
