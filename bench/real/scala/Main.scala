import java.util.concurrent.Executors
import scala.collection.concurrent.TrieMap
import scala.concurrent.duration.Duration
import scala.concurrent.{Await, ExecutionContext, Future, Promise}

/** Futures, promises, a concurrent trie, lazy values, immutable collections that threads share. */
object Main {
  final class Message(var number: Int) {
    val words = new Array[Int](16)
  }

  lazy val once: Vector[Int] = (1 to 1000).toVector

  case class Tree(left: Option[Tree], right: Option[Tree], value: Int) {
    lazy val sum: Int = value + left.fold(0)(_.sum) + right.fold(0)(_.sum)
  }

  def grow(depth: Int): Tree =
    if (depth == 0) Tree(None, None, 1) else Tree(Some(grow(depth - 1)), Some(grow(depth - 1)), depth)

  def main(arguments: Array[String]): Unit = {
    val executor = Executors.newFixedThreadPool(4)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(executor)
    val trie = TrieMap.empty[Int, Int]
    val tree = grow(8)
    val parts = (0 until 8).map { rank =>
      Future {
        for (number <- 0 until 300) {
          trie.updateWith(number % 50)(before => Some(before.getOrElse(0) + 1))
          if (number % 100 == 0) trie.snapshot().size
        }
        once.map(_ * 2).filter(_ % 3 == rank % 3).sum + tree.sum
      }
    }
    println(Await.result(Future.sequence(parts), Duration.Inf))
    println(trie.values.sum)
    val promise = Promise[Message]()
    val received = promise.future.map(message => message.number + message.words.sum)
    Future {
      val message = new Message(5)
      message.words(3) = 7
      promise.success(message)
    }
    println(Await.result(received, Duration.Inf))
    val chained = (1 to 100).foldLeft(Future.successful(Map.empty[Int, Int])) { (before, number) =>
      before.flatMap(map => Future(map.updated(number % 10, map.getOrElse(number % 10, 0) + number)))
    }
    println(Await.result(chained, Duration.Inf).toSeq.sorted)
    executor.shutdown()
  }
}
